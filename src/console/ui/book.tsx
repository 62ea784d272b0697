/** A section about a book that the law asks for: its last entries here, and all of it as a file. */
import type { ComponentChildren } from "preact";
import type { OperationName } from "../api/client.ts";
import { text } from "../app/language.ts";
import { Download } from "./download.tsx";
import { Section } from "./section.tsx";

interface BookProps {
  title: string;
  from: OperationName;
  path: Readonly<Record<string, string>>;
  /** The name of the file, without its ending. */
  name: string;
  children: ComponentChildren;
}

export function Book({ title, from, path, name, children }: BookProps) {
  const { actions } = text();
  return (
    <Section
      title={title}
      actions={
        <>
          <Download {...{ from, path }} as="pdf" name={`${name}.pdf`}>
            {actions.pdf}
          </Download>
          <Download {...{ from, path }} as="csv" name={`${name}.csv`}>
            {actions.csv}
          </Download>
        </>
      }
    >
      {children}
    </Section>
  );
}
