/** The board by keyboard: arrows move the focused booking, with Shift they stretch it; B begins a new one. */
import { type Draft, quarter } from "./drafts.ts";
import { gapAt, type Hands } from "./pointer.ts";
import { keyOf, type Row } from "./rows.ts";

export function onBoardKey(event: KeyboardEvent, board: HTMLElement, hands: Hands): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const { drafts } = hands;
  const current = drafts.draft.peek();
  const isDone = current ? withDraft(event, current, hands) : withBar(event, board, hands);
  if (isDone) event.preventDefault();
}

/** @returns whether the key did something */
function withDraft(event: KeyboardEvent, current: Draft, { drafts, rows, finish }: Hands): boolean {
  const next = stepped(current, event, rows);
  if (next) drafts.set(next);
  else if (event.key === "Enter") finish(current);
  else if (event.key === "Escape") drafts.clear();
  else return false;
  return true;
}

function withBar(event: KeyboardEvent, board: HTMLElement, { drafts, rows, mayMove, mayBook, scale }: Hands): boolean {
  const bar = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-session]") : null;
  const row = rows.get(bar?.closest<HTMLElement>("[data-row]")?.dataset.row ?? "");
  const found = row?.bars.find(({ session }) => session.id === bar?.dataset.session);
  const key = event.key.toLowerCase();
  if (key === "b" && mayBook) {
    const first = row && row.type !== "none" ? row : [...rows.values()][0];
    if (!first) return false;
    drafts.set(gapAt(first, found?.end ?? beginOf(scale.spans)));
    return true;
  }
  if (key === "j" || key === "k") return focusNext(board, bar, key === "j" ? 1 : -1);
  if (!row || !found || !mayMove(found.session)) return false;
  const { session, start, end } = found;
  const next = stepped({ session, from: row, row, start, end }, event, rows);
  if (next) drafts.set(next);
  return next !== undefined;
}

/** Now, or noon of a day that is not today. */
function beginOf(spans: readonly { from: number; to: number }[]): number {
  const now = Date.now();
  const [first] = spans;
  if (!first) return now;
  return spans.some(({ from, to }) => from <= now && now < to) ? now + 2 * quarter : (first.from + first.to) / 2;
}

function stepped(draft: Draft, { key, shiftKey }: KeyboardEvent, rows: ReadonlyMap<string, Row>): Draft | undefined {
  const { session, start, end } = draft;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const by = key === "ArrowLeft" ? -quarter : quarter;
    if (shiftKey) return { ...draft, end: Math.max(end + by, start + quarter) };
    return { ...draft, start: start + by, end: end + by };
  }
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  // A booking stays with its kind of row; a new one may begin in any.
  const all = [...rows.values()].filter(({ type }) => (session ? type === draft.row.type : type !== "none"));
  const at = all.findIndex((row) => keyOf(row) === keyOf(draft.row));
  const row = all[Math.min(Math.max(at + (key === "ArrowUp" ? -1 : 1), 0), all.length - 1)] ?? draft.row;
  return { ...draft, row, ...(!session && { from: row }) };
}

function focusNext(board: HTMLElement, bar: HTMLElement | null, by: 1 | -1): boolean {
  const all = [...board.querySelectorAll<HTMLElement>("[data-session]")];
  const next = all[bar ? all.indexOf(bar) + by : 0];
  next?.focus();
  return true;
}

/** One booking is reached by Tab: the one that had the focus last. */
export function roving(board: HTMLElement, focused?: Element): void {
  const held = [...board.querySelectorAll<HTMLElement>('[data-session][tabindex="0"]')];
  const [first] = focused
    ? [focused as HTMLElement]
    : held.length > 0
      ? held
      : board.querySelectorAll<HTMLElement>("[data-session]");
  for (const one of held) if (one !== first) one.tabIndex = -1;
  if (first) first.tabIndex = 0;
}
