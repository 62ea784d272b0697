import type { Instant } from "../core/clock.ts";
import { dateIn } from "../core/dates.ts";
import type { Reader } from "./store.ts";
import { meta } from "./tenant.tables.ts";

/** Returns the date at `now` in the organization's time zone. Legal dates are compared with it. */
export async function today(reader: Reader<"tenant">, now: Date | Instant): Promise<Temporal.PlainDate> {
  const [described] = await reader.select({ timeZone: meta.time_zone }).from(meta);
  if (described === undefined) throw new Error("The tenant's `meta` table has no row.");
  return dateIn(described.timeZone, new Date(now));
}
