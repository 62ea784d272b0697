/** Calendar dates in the organization's time zone, which its own file knows. */
import { sql } from "drizzle-orm";
import { type Instant, toInstant } from "../core/clock.ts";
import { dateIn } from "../core/dates.ts";
import { lookUp } from "./lookup.ts";
import type { Reader } from "./store.ts";
import { meta } from "./tenant.tables.ts";

/** Returns the date at `now` in the organization's time zone. Legal dates are compared with it. */
export const today = async (reader: Reader<"tenant">, now: Date | Instant): Promise<Temporal.PlainDate> =>
  dateIn(await timeZoneOf(reader), new Date(now));

/** Returns the first moment of a date in the organization's time zone: when a job has work on that date. */
export const startOf = async (reader: Reader<"tenant">, date: Temporal.PlainDate): Promise<Instant> =>
  startIn(await timeZoneOf(reader), date);

/** As `startOf`, of a date that an older version stored without its moment: in the time zone of then. */
export async function startOfStored(reader: Reader<"tenant">, date: Temporal.PlainDate): Promise<Instant> {
  const described = await zoneOfDates(reader, {});
  return startIn(described?.zone ?? (await timeZoneOf(reader)), date);
}

const startIn = (timeZone: string, date: Temporal.PlainDate): Instant =>
  toInstant(new Date(date.toZonedDateTime(timeZone).epochMilliseconds));

/** Returns the organization's time zone. */
export async function timeZoneOf(reader: Reader<"tenant">): Promise<string> {
  const described = await timeZone(reader, {});
  if (described === undefined) throw new Error("The tenant's `meta` table has no row.");
  return described.timeZone;
}

const zoneOfDates = lookUp({ zone: meta.zone_of_dates }, sql`from ${meta}`);
const timeZone = lookUp({ timeZone: meta.time_zone }, sql`from ${meta}`);
