/** The minutes for which an instructor is booked, on a day and in seven days. */
import { days, minutes, shift } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import type { Interval } from "./booking.ts";
import { takenIn } from "./overlaps.ts";
import { dayOf } from "./presence.ts";

/** No session is longer. */
export const maxSessionLength = days(31);

/** Returns when an instructor is booked as one. @param session_id one that does not count */
export async function dutiesOf(
  reader: Reader<"tenant">,
  id: string,
  interval: Interval,
  session_id?: PlanningSessionId,
): Promise<Interval[]> {
  const taken = await takenIn(reader, id, interval);
  return taken.filter((one) => one.type === "instructor" && one.session_id !== session_id);
}

/** Returns the interval whose duties matter for a booking: a week before and after its days. */
export const around = ({ start_at, end_at }: Interval): Interval => ({
  start_at: shift(start_at, -days(8)),
  end_at: shift(end_at, days(8)),
});

type Limits = Pick<Settings, "duty_day_minutes" | "duty_week_minutes">;

export const limitsDuty = ({ duty_day_minutes, duty_week_minutes }: Limits): boolean =>
  duty_day_minutes !== null || duty_week_minutes !== null;

/** The minutes on each local day. */
type Worked = ReadonlyMap<string, number>;

export const workedOn = (duties: readonly Interval[], timeZone: string): Worked => {
  const worked = new Map<string, number>();
  for (const one of duties) addDays(worked, one, timeZone);
  return worked;
};

/** Returns the limits that a booking would exceed, with the minutes. @param others the duties `around` it */
export function exceeded(
  others: Worked,
  booking: Interval,
  timeZone: string,
  { duty_day_minutes, duty_week_minutes }: Limits,
): string[] {
  const own = workedOn([booking], timeZone);
  const minutesOn = (date: string) => (others.get(date) ?? 0) + (own.get(date) ?? 0);
  const messages = new Set<string>();
  for (const date of own.keys()) {
    const on = minutesOn(date);
    if (duty_day_minutes !== null && on > duty_day_minutes)
      messages.add(`${on} minutes on ${date}, of at most ${duty_day_minutes}`);
    if (duty_week_minutes === null) continue;
    const day = Temporal.PlainDate.from(date);
    const near = fortnight.map((after) => minutesOn(day.add({ days: after }).toString()));
    const most = Math.max(...week.map((first) => near.slice(first, first + 7).reduce((sum, one) => sum + one)));
    if (most > duty_week_minutes) messages.add(`${most} minutes in seven days, of at most ${duty_week_minutes}`);
  }
  return [...messages];
}

const week = [0, 1, 2, 3, 4, 5, 6];
/** The days of all seven days that have one day in common. */
const fortnight = [-6, -5, -4, -3, -2, -1, ...week];

/** Adds the minutes of an interval to each of its local days. */
function addDays(worked: Map<string, number>, { start_at, end_at }: Interval, timeZone: string): void {
  const [start, end] = [Date.parse(start_at), Date.parse(end_at)];
  for (let day = dayOf(timeZone, start_at); ; day = day.add({ days: 1 })) {
    const from = Math.max(start, day.toZonedDateTime(timeZone).epochMilliseconds);
    if (from >= end) return;
    const to = Math.min(end, day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
    const date = day.toString();
    worked.set(date, (worked.get(date) ?? 0) + Math.ceil((to - from) / minutes(1)));
  }
}
