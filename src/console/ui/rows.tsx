/** A short list inside a page: what each row is, what is said about it, and its state at the end. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";

export interface Row {
  id: string;
  title: ComponentChildren;
  /** Where the row leads to. */
  href?: string;
  /** Opens a dialog about the row. */
  onOpen?: (() => void) | undefined;
  detail?: ComponentChildren;
  aside?: ComponentChildren;
}

interface RowsProps {
  /** Names the list. */
  label: string;
  rows: readonly Row[];
  /** What is said in place of no rows. */
  empty: string;
  /** Rows that are shown at first. */
  most?: number;
}

export function Rows({ label, rows, empty, most = 6 }: RowsProps) {
  const isWhole = useSignal(false);
  const { list } = text();
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  // No button for one row more.
  const shown = isWhole.value || rows.length <= most + 1 ? rows : rows.slice(0, most);
  return (
    <>
      <ul class="rows" aria-label={label}>
        {shown.map(({ id, detail, aside, ...row }) => (
          <li key={id}>
            <div class="row-text">
              <span class="row-title">
                <Title {...row} />
              </span>
              {detail && <span class="row-detail">{detail}</span>}
            </div>
            {aside && <div class="row-aside">{aside}</div>}
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <div>
          <Button
            kind="plain"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            {list.showAll(rows.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function Title({ title, href, onOpen }: Pick<Row, "title" | "href" | "onOpen">) {
  if (href !== undefined) return <a href={href}>{title}</a>;
  if (onOpen === undefined) return title;
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen}>
      {title}
    </button>
  );
}
