/** Sets of half-open intervals, each in order and without overlaps. */
import type { Instant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { Interval } from "./booking.ts";

type Moment = Instant | LegalDate;
const inOrder = <M extends Moment>(one: M, other: M) => (one < other ? [one, other] : [other, one]) as [M, M];
export const earlier = <M extends Moment>(one: M, other: M): M => inOrder(one, other)[0];
export const later = <M extends Moment>(one: M, other: M): M => inOrder(one, other)[1];

const earliest = (one: Interval, other: Interval) => (one.start_at < other.start_at ? -1 : 1);

/** Returns the union; intervals that adjoin become one. */
export function united(intervals: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const one of [...intervals].sort(earliest)) {
    const before = all.at(-1);
    if (before === undefined || before.end_at < one.start_at) all.push({ ...one });
    else if (one.end_at > before.end_at) before.end_at = one.end_at;
  }
  return all;
}

/** Returns what is in both. */
export function common(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (let i = 0, j = 0; ; ) {
    const [one, other] = [some[i], others[j]];
    if (one === undefined || other === undefined) return all;
    const start_at = later(one.start_at, other.start_at);
    const end_at = earlier(one.end_at, other.end_at);
    if (start_at < end_at) all.push({ start_at, end_at });
    if (one.end_at < other.end_at) i += 1;
    else j += 1;
  }
}

/** Returns what of an interval is in none of the others. */
export function without({ start_at, end_at }: Interval, others: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  let from = start_at;
  for (const one of united(others)) {
    if (one.start_at > from && one.start_at < end_at) all.push({ start_at: from, end_at: one.start_at });
    else if (one.start_at >= end_at) break;
    if (one.end_at > from) from = one.end_at;
  }
  if (from < end_at) all.push({ start_at: from, end_at });
  return all;
}
