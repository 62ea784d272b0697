/**
 * A list whose order is changed by dragging a handle, with a mouse or a thumb, or with the arrow keys on it. The rows move while it is
 * dragged, and what has moved where is said.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { trainingText } from "./words.ts";

interface Sorted {
  key: string;
}

interface SortableProps<Row extends Sorted> {
  label: string;
  rows: readonly Row[];
  /** Names a row: for its handle, and for what is said. */
  nameOf: (row: Row) => string;
  onSort: (rows: Row[]) => void;
  children: (row: Row, at: number) => ComponentChildren;
}

function movedTo<Row extends Sorted>(rows: readonly Row[], key: string, to: number): Row[] | undefined {
  const from = rows.findIndex((row) => row.key === key);
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || to === from) return undefined;
  const others = rows.filter((one) => one !== row);
  return [...others.slice(0, to), row, ...others.slice(to)];
}

export function Sortable<Row extends Sorted>({ label, rows, nameOf, onSort, children }: SortableProps<Row>) {
  const words = trainingText();
  const list = useRef<HTMLOListElement>(null);
  const said = useSignal("");
  const dragged = useSignal<string | undefined>(undefined);
  /** The handle that has the focus: to move a row in the page would take it away. */
  const held = useRef<string | undefined>(undefined);
  const latest = useRef(rows);
  latest.current = rows;

  useLayoutEffect(() => {
    if (held.current === undefined) return;
    const at = rows.findIndex(({ key }) => key === held.current);
    list.current?.children[at]?.querySelector<HTMLElement>(".handle")?.focus();
    held.current = undefined;
  }, [rows]);

  const move = (row: Row, to: number) => {
    const next = movedTo(latest.current, row.key, to);
    if (!next) return;
    held.current = row.key;
    said.value = words.movedTo(nameOf(row), to + 1, next.length);
    onSort(next);
  };

  const drag = (row: Row) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).focus();
    const before = [...latest.current];
    dragged.value = row.key;
    const follow = ({ clientX, clientY }: PointerEvent) => {
      const over = document.elementFromPoint(clientX, clientY)?.closest("li");
      const to =
        over?.parentElement === list.current ? [...(list.current?.children ?? [])].indexOf(over as Element) : -1;
      if (to !== -1) move(row, to);
    };
    const end = new AbortController();
    const { signal } = end;
    const stop = () => {
      dragged.value = undefined;
      end.abort();
    };
    addEventListener("pointermove", follow, { signal });
    addEventListener("pointerup", stop, { signal });
    addEventListener(
      "pointercancel",
      () => {
        stop();
        onSort(before);
      },
      { signal },
    );
    addEventListener(
      "keydown",
      ({ key }) => {
        if (key !== "Escape") return;
        stop();
        onSort(before);
      },
      { signal },
    );
  };

  return (
    <>
      <ol class="sortable" aria-label={label} ref={list}>
        {rows.map((row, at) => (
          <li key={row.key} class={dragged.value === row.key ? "dragged" : undefined}>
            <button
              type="button"
              class="handle"
              aria-label={words.moveIt(nameOf(row))}
              onPointerDown={drag(row)}
              onKeyDown={(event) => {
                const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
                if (by === 0) return;
                event.preventDefault();
                move(row, at + by);
              }}
            >
              <Icon name="grip" />
            </button>
            {children(row, at)}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </>
  );
}
