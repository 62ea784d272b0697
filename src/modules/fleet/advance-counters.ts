import { conflict } from "../../core/errors.ts";
import type { AircraftId, FlightId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Tx } from "../../storage/store.ts";
import { updateRow } from "../../storage/update-row.ts";
import { type Counters, eachCounter } from "./counters.queries.ts";
import { type AircraftRow, requireAircraft } from "./fleet.queries.ts";
import { aircraft, counterPostings } from "./fleet.tables.ts";

/** What a flight adds to the counters of its aircraft. A reversal has the negated figures of the approval. */
export interface CounterPosting extends Counters {
  flight_id: FlightId;
  aircraft_id: AircraftId;
  kind: "approval" | "reversal";
}

/** Seven digits of hours, the limit of the wire format, in hundredths. */
const highest = 999_999_999;

/**
 * Adds a flight's figures to the counters of its aircraft. The primary key of `counter_postings` ensures that a flight
 * is posted at most once and reversed at most once.
 *
 * @param read the aircraft, if it was read in this transaction and has not changed since
 * @throws NOT_FOUND no such aircraft
 * @throws CONFLICT  a counter would leave its range, for example fall below zero after a downward correction
 */
export async function advanceCounters(tx: Tx<"tenant">, posting: CounterPosting, read?: AircraftRow): Promise<void> {
  const row = read ?? (await requireAircraft(tx, posting.aircraft_id));
  const counters = eachCounter((name) => row[name] + posting[name]);
  for (const [name, value] of Object.entries(counters)) {
    if (value < 0 || value > highest)
      throw conflict(
        "counter_out_of_range",
        `The aircraft's counter ${name} would leave its range. Correct it first.`,
        {
          counter: name,
        },
      );
  }
  await insertRow(tx, counterPostings, { ...posting, posted_at: tx.now });
  await updateRow(tx, aircraft, posting.aircraft_id, { ...counters, updated_at: tx.now });
}
