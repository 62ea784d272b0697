/** A section of a page to which something can be added, by those who may. */
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Section } from "./section.tsx";

interface SectionWithAddProps {
  title: string;
  /** What the button says. */
  add: string;
  /** Undefined: nobody sees the button. */
  onAdd: (() => void) | undefined;
  children: ComponentChildren;
}

export const SectionWithAdd = ({ title, add, onAdd, children }: SectionWithAddProps) => (
  <Section
    title={title}
    actions={
      onAdd && (
        <Button kind="plain" icon="plus" onClick={onAdd}>
          {add}
        </Button>
      )
    }
  >
    {children}
  </Section>
);
