import type { Instant } from "../../core/clock.ts";
import type { AircraftId } from "../../core/ids.ts";
import { question } from "../../storage/occasions.ts";
import type { hoursCounters } from "./maintenance.tables.ts";

/** How an aircraft is booked, and how much of what was booked it has flown. */
export interface BookedUse {
  /** Flights that are still to end, in order. */
  sessions: readonly { start_at: Instant; minutes: number }[];
  /**
   * For each counter, what it ran in an hour that was booked, by the flights of the sessions of the last 90 days. Null: too few to
   * say.
   */
  per_hour: Readonly<Record<(typeof hoursCounters)[number], number | null>>;
}

export const bookedUse = question<{ ids: readonly AircraftId[]; now: Instant }, ReadonlyMap<AircraftId, BookedUse>>(
  "how are the aircraft booked?",
  ["planning"],
);
