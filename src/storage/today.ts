import type { Instant } from "../core/clock.ts";
import { dateIn } from "../core/dates.ts";
import type { Reader } from "./store.ts";
import { meta } from "./tenant.tables.ts";

/** The calendar date at `now` in the organization's time zone: what a legal date is compared with. */
export async function today(reader: Reader<"tenant">, now: Date | Instant): Promise<Temporal.PlainDate> {
  const [described] = await reader.select({ timeZone: meta.time_zone }).from(meta);
  if (described === undefined) throw new Error("The tenant's file has no row in `meta`.");
  return dateIn(described.timeZone, new Date(now));
}
