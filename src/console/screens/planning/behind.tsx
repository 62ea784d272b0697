/** What is behind all rows: lines of the hours, when the school is closed, night and twilight. */
import type { PlanningBoard } from "../../api/operations.ts";
import { hoursIn, percent, placeOf, type Scale } from "./scale.ts";
import type { View } from "./shown.ts";
import { type Position, shadesIn } from "./sun.ts";

interface BehindProps {
  scale: Scale;
  board: PlanningBoard;
  view: View;
  position: Position | null;
}

export function Behind({ scale, board, view, position }: BehindProps) {
  const block = (kind: string, from: number, to: number) => (
    <span key={`${kind} ${from}`} class={`behind ${kind}`} style={placeOf(scale, from, to)} />
  );
  return (
    <div class="board-behind" aria-hidden="true">
      {scale.spans.flatMap(({ from, to }) => [
        ...closedIn(board, from, to).map((one) => block("closed", one.from, one.to)),
        ...(position ? shadesIn(from, to, position).map((one) => block(one.kind, one.from, one.to)) : []),
      ])}
      {scale.spans.flatMap((span) =>
        hoursIn(span, scale.zone, view === "week" ? 6 : 1).map(({ at }) => (
          <span
            key={at}
            class={at === span.from ? "board-line day" : "board-line"}
            style={{ insetInlineStart: percent(scale.shareOf(at)) }}
          />
        )),
      )}
    </div>
  );
}

/** When the school is not open. */
function closedIn({ open }: PlanningBoard, from: number, to: number): { from: number; to: number }[] {
  const closed: { from: number; to: number }[] = [];
  let at = from;
  for (const { start_at, end_at } of open) {
    const [start, end] = [Date.parse(start_at), Date.parse(end_at)];
    if (end <= at || start >= to) continue;
    if (start > at) closed.push({ from: at, to: start });
    at = Math.max(at, end);
  }
  if (at < to) closed.push({ from: at, to });
  return closed;
}
