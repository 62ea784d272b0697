/**
 * Rows by columns, of which each cell is a state: hundreds of people by dozens of aircraft. Only the rows in sight are drawn. It moves as
 * the grid of the WAI-ARIA patterns: one stop for Tab, arrows inside, Enter opens.
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Tone, toneIcons } from "./badge.tsx";
import { Icon } from "./icon.tsx";

interface Head {
  id: string;
  name: string;
  href?: string;
  /** Below the name. */
  detail?: string | undefined;
}

export interface MatrixCell {
  tone: Tone;
  /** The state in a word. */
  said: string;
  /** What is seen beside the shape. */
  shown?: string | undefined;
}

interface MatrixProps {
  label: string;
  /** What the rows are. */
  rowsAre: string;
  columns: readonly Head[];
  rows: readonly Head[];
  /** `undefined`: the two have nothing to do with each other. Keep the function as long as its answers are the same. */
  cell: (row: number, column: number) => MatrixCell | undefined;
  onOpen: (row: number, column: number) => void;
  /** Columns for long names, and for cells with words. */
  isWide?: boolean;
}

/** Rows are drawn in pieces, so that not each pixel of scrolling draws. */
const piece = 8;

/** Row 0 and column 0 are the heads. */
type At = readonly [row: number, column: number];

export function Matrix({ label, rowsAre, columns, rows, cell, onOpen, isWide = false }: MatrixProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useSignal({ from: 0, count: 4 * piece });
  const active = useSignal<At>([1, 1]);
  const id = useMemo(() => `matrix-${Math.random().toString(36).slice(2, 8)}`, []);

  const rowHeight = () => frame.current?.querySelector<HTMLElement>("tbody tr[data-row]")?.offsetHeight || 36;
  const look = () => {
    const { current } = frame;
    if (!current) return;
    const height = rowHeight();
    const from = Math.max(0, Math.floor(current.scrollTop / height / piece - 1) * piece);
    const count = Math.ceil(current.clientHeight / height / piece + 3) * piece;
    const { value } = view;
    if (value.from !== from || value.count !== count) view.value = { from, count };
  };
  useLayoutEffect(look, [rows.length]);

  const draw = useMemo(() => rowsDrawn({ id, columns, rows, cell }), [columns, rows, cell]);
  const { from, count } = view.value;
  const shown = rows.slice(from, from + count);
  const height = rowHeight();

  // The one that is active is marked in place: nothing else is drawn for it.
  useLayoutEffect(() => {
    const { current } = frame;
    const [row, column] = active.value;
    const cell = document.getElementById(`${id}-${row}-${column}`);
    cell?.classList.add("active");
    if (cell) current?.firstElementChild?.setAttribute("aria-activedescendant", cell.id);
    else current?.firstElementChild?.removeAttribute("aria-activedescendant");
    return () => cell?.classList.remove("active");
  }, [active.value, from, count, draw]);

  const move = ([toRow, toColumn]: At) => {
    const row = Math.min(Math.max(toRow, 0), rows.length);
    const column = Math.min(Math.max(toColumn, 0), columns.length);
    active.value = row === 0 && column === 0 ? active.value : [row, column];
    if (frame.current) reveal(frame.current, active.value, rowHeight());
    look();
  };
  const open = ([row, column]: At) => {
    if (row > 0 && column > 0) {
      if (cell(row - 1, column - 1)) onOpen(row - 1, column - 1);
    } else document.getElementById(`${id}-${row}-${column}`)?.querySelector("a")?.click();
  };
  const onKey = (event: KeyboardEvent) => {
    const [row, column] = active.value;
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight()) - 2);
    const moves: Record<string, At> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      Home: event.ctrlKey ? [1, 1] : [row, 1],
      End: event.ctrlKey ? [rows.length, columns.length] : [row, columns.length],
      PageDown: [row + page, column],
      PageUp: [Math.max(1, row - page), column],
    };
    const to = moves[event.key];
    if (!to && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (to) move(to);
    else open(active.value);
  };

  return (
    <div class={isWide ? "matrix wide" : "matrix"} ref={frame} onScroll={look}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a grid allows a table
        role="grid"
        aria-label={label}
        aria-readonly="true"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        tabIndex={0}
        onKeyDown={onKey}
        onClick={({ target }) => {
          const place = (target as Element).closest("td[data-at]")?.getAttribute("data-at");
          if (!place) return;
          const [row = 1, column = 1] = place.split(" ").map(Number);
          active.value = [row, column];
          open([row, column]);
        }}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{rowsAre}</th>
            {columns.map((column, index) => (
              <th key={column.id} id={`${id}-0-${index + 1}`} scope="col">
                <Named {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={from} height={height} />
          {shown.map((_, index) => draw(from + index))}
          <Space rows={Math.max(0, rows.length - from - count)} height={height} />
        </tbody>
      </table>
    </div>
  );
}

const Named = ({ name, href, detail }: Head) => (
  <>
    {href === undefined ? (
      <span class="head-name">{name}</span>
    ) : (
      <a class="head-name" href={href} tabIndex={-1}>
        {name}
      </a>
    )}
    {detail !== undefined && <span class="head-detail">{detail}</span>}
  </>
);

const Space = ({ rows, height }: { rows: number; height: number }) =>
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus
  rows === 0 ? null : <tr aria-hidden="true" style={{ blockSize: `${rows * height}px` }} />;

/** A row that was drawn is the same again: so only those that come into sight are compared. */
function rowsDrawn({
  id,
  columns,
  rows,
  cell,
}: Pick<MatrixProps, "columns" | "rows" | "cell"> & { id: string }): (index: number) => VNode | null {
  const drawn = new Map<number, VNode>();
  return (index) => {
    const known = drawn.get(index);
    const head = rows[index];
    if (known || !head) return known ?? null;
    const row = (
      <tr key={head.id} data-row aria-rowindex={index + 2}>
        <th id={`${id}-${index + 1}-0`} scope="row">
          <Named {...head} />
        </th>
        {columns.map((column, at) => {
          const state = cell(index, at);
          const place = { id: `${id}-${index + 1}-${at + 1}`, key: column.id };
          if (!state) return <td {...place} />;
          return (
            <td {...place} data-at={`${index + 1} ${at + 1}`} class={state.tone}>
              <Icon name={toneIcons[state.tone]} size={16} />
              {state.shown === undefined ? (
                <span class="visually-hidden">{state.said}</span>
              ) : (
                <span aria-hidden="true">{state.shown}</span>
              )}
              {state.shown !== undefined && <span class="visually-hidden">{`${state.said} ${state.shown}`}</span>}
            </td>
          );
        })}
      </tr>
    );
    drawn.set(index, row);
    return row;
  };
}

/** Scrolls so far that a cell is in sight, beside the heads that stay. */
function reveal(frame: HTMLElement, [row, column]: At, height: number): void {
  const heads = frame.querySelectorAll<HTMLElement>("thead th");
  const [first] = heads;
  const head = heads[column];
  if (!first || !head) return;
  const top = (row - 1) * height;
  const below = top + height + first.offsetHeight - frame.clientHeight;
  if (row > 0) frame.scrollTop = Math.max(below, Math.min(frame.scrollTop, top));
  const left = head.offsetLeft - first.offsetWidth;
  const beside = head.offsetLeft + head.offsetWidth - frame.clientWidth;
  if (column > 0) frame.scrollLeft = Math.max(beside, Math.min(frame.scrollLeft, left));
}
