/** From when to when an instructor is booked on each day, and for how long in it. */
import type { Row } from "./rows.ts";
import type { Scale } from "./scale.ts";

export interface Duty {
  from: number;
  to: number;
  /** Minutes. */
  booked: number;
}

export const dutyOf = ({ bars }: Row, { spans }: Scale): Duty[] =>
  spans.flatMap((span) => {
    const on = bars.filter(({ start, end }) => start < span.to && end > span.from);
    if (on.length === 0) return [];
    const times = on.map(({ start, end }) => [Math.max(start, span.from), Math.min(end, span.to)] as const);
    return [
      {
        from: Math.min(...times.map(([start]) => start)),
        to: Math.max(...times.map(([, end]) => end)),
        booked: times.reduce((sum, [start, end]) => sum + (end - start) / 60_000, 0),
      },
    ];
  });
