import { days, type Instant, shift } from "../../../core/clock.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { type Counters, correctedOf, postedSince } from "../../fleet/counters.queries.ts";
import { type AircraftRow, requireAircraft } from "../../fleet/fleet.queries.ts";
import { useDays } from "./assess.ts";

/** What the items of an aircraft are assessed by, besides the day. */
interface Flown {
  counters: AircraftRow;
  corrected: Counters;
  recent: Counters;
}

/** Returns the counters of an aircraft, what corrections have added to them, and its use. @throws NOT_FOUND */
export async function flownBy(reader: Reader<"tenant">, id: AircraftId, now: Instant): Promise<Flown> {
  const [counters, recent, corrected] = await Promise.all([
    requireAircraft(reader, id),
    postedSince(reader, id, shift(now, -days(useDays))),
    correctedOf(reader, id),
  ]);
  return { counters, recent, corrected };
}
