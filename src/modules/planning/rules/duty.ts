/** The minutes for which an instructor is booked, on a day and in seven days. */
import { sql } from "drizzle-orm";
import { days, type Instant, minutes, shift } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import { isBlocking, type PlanningSessionId, planningResources as table } from "../planning.tables.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import type { Interval } from "./booking.ts";
import { dayOf } from "./presence.ts";

/** No session is longer. */
export const longestSession = days(31);

const value = sql.placeholder;
const statement = sql`select json_group_array(json_array(${table.start_at}, ${table.end_at})) from ${table}
  where ${table.resource_id} = ${value("id")} and ${isBlocking} and ${table.type} = 'instructor'
    and ${table.start_at} >= ${value("since")} and ${table.start_at} < ${value("end_at")}
    and ${table.end_at} > ${value("start_at")} and ${table.session_id} <> ${value("session_id")}`;

/** Returns when an instructor is booked as one. */
export async function dutiesOf(
  reader: Reader<"tenant">,
  id: string,
  { start_at, end_at }: Interval,
  session_id: PlanningSessionId | "" = "",
): Promise<Interval[]> {
  const since = shift(start_at, -longestSession);
  const row = await reader.first(statement, { id, since, start_at, end_at, session_id });
  const rows: [Instant, Instant][] = JSON.parse(String(row?.[0]));
  return rows.map(([start_at, end_at]) => ({ start_at, end_at }));
}

/** Returns the interval whose duties matter for a booking: a week before and after its days. */
export const around = ({ start_at, end_at }: Interval): Interval => ({
  start_at: shift(start_at, -days(8)),
  end_at: shift(end_at, days(8)),
});

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
  { duty_day_minutes, duty_week_minutes }: Pick<Settings, "duty_day_minutes" | "duty_week_minutes">,
): string[] {
  if (duty_day_minutes === null && duty_week_minutes === null) return [];
  const worked = new Map(others);
  addDays(worked, booking, timeZone);
  const messages = new Set<string>();
  for (const date of workedOn([booking], timeZone).keys()) {
    const on = worked.get(date) ?? 0;
    if (duty_day_minutes !== null && on > duty_day_minutes)
      messages.add(`${on} minutes on ${date}, of at most ${duty_day_minutes}`);
    const day = Temporal.PlainDate.from(date);
    const most = Math.max(...week.map((before) => sumOfWeek(worked, day.subtract({ days: before }))));
    if (duty_week_minutes !== null && most > duty_week_minutes)
      messages.add(`${most} minutes in seven days, of at most ${duty_week_minutes}`);
  }
  return [...messages];
}

const week = [0, 1, 2, 3, 4, 5, 6];

const sumOfWeek = (worked: Worked, first: Temporal.PlainDate): number =>
  week.reduce((sum, after) => sum + (worked.get(first.add({ days: after }).toString()) ?? 0), 0);

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
