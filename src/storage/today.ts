/** Calendar dates in the organization's time zone, which its own file knows. */
import { type Instant, toInstant } from "../core/clock.ts";
import { dateIn } from "../core/dates.ts";
import type { Reader } from "./store.ts";
import { meta } from "./tenant.tables.ts";

/** Returns the date at `now` in the organization's time zone. Legal dates are compared with it. */
export const today = async (reader: Reader<"tenant">, now: Date | Instant): Promise<Temporal.PlainDate> =>
  dateIn(await timeZoneOf(reader), new Date(now));

/** Returns the first moment of a date in the organization's time zone: when a job has work on that date. */
export async function startOf(reader: Reader<"tenant">, date: Temporal.PlainDate): Promise<Instant> {
  return toInstant(new Date(date.toZonedDateTime(await timeZoneOf(reader)).epochMilliseconds));
}

async function timeZoneOf(reader: Reader<"tenant">): Promise<string> {
  const [described] = await reader.select({ timeZone: meta.time_zone }).from(meta);
  if (described === undefined) throw new Error("The tenant's `meta` table has no row.");
  return described.timeZone;
}
