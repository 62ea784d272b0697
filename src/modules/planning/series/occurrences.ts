import { minutes, shift } from "../../../core/clock.ts";
import type { Interval } from "../rules/booking.ts";
import { localInstant } from "../rules/presence.ts";
import { longestSeries, type NewSeries } from "./series.schemas.ts";

type Recurrence = Pick<NewSeries, "from_on" | "until_on" | "count" | "weekdays" | "from_time" | "minutes">;

/** Returns when the sessions of a series are: at the same local time all year, at most one more than are allowed. */
export function occurrences(recurrence: Recurrence, timeZone: string): Interval[] {
  const { from_on, until_on, count, weekdays, from_time } = recurrence;
  const most = Math.min(count ?? longestSeries + 1, longestSeries + 1);
  const found: Interval[] = [];
  for (let day = Temporal.PlainDate.from(from_on); found.length < most; day = day.add({ days: 1 })) {
    if (until_on !== null && day.toString() > until_on) break;
    if (!weekdays.includes(day.dayOfWeek)) continue;
    const start_at = localInstant(timeZone, day, from_time);
    found.push({ start_at, end_at: shift(start_at, minutes(recurrence.minutes)) });
  }
  return found;
}
