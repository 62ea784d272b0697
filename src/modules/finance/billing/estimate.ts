/** What a flight that is only planned will cost. */
import type { Instant } from "../../../core/clock.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import { hasRates } from "../rates/rates.queries.ts";
import { billOf } from "./bill.ts";
import type { Preview } from "./billing.schemas.ts";
import { shownBill } from "./preview-flight.ts";

interface Planned {
  aircraft_id: AircraftId;
  crew: readonly CrewMember[];
  /** As the check-in drafts it: it decides whether anybody pays. */
  nature: "training" | "simulator" | null;
  start_at: Instant;
  end_at: Instant;
}

interface Terms {
  currency: string;
  now: Instant;
}

/**
 * Returns the cost by the rates of its day, as if it took all of the planned time, whatever the aircraft is charged by. Without
 * landings and fuel, which nobody knows yet. Null: nobody pays, or the school has no rates.
 */
export async function estimateOf(
  reader: Reader<"tenant">,
  { aircraft_id, crew, nature, start_at, end_at }: Planned,
  { currency, now }: Terms,
): Promise<Preview | null> {
  const aircraft = await findAircraftRow(reader, aircraft_id);
  if (aircraft === undefined || !(await hasRates(reader))) return null;
  const flight = {
    ...{ aircraft_id, nature, off_block_at: start_at, on_block_at: end_at, take_off_at: null, landing_at: null },
    ...{ hobbs_start: null, hobbs_end: null, tacho_start: null, tacho_end: null, fuel_uplift_litres: null },
    ...{ arrival: null, day_landings: 0, night_landings: 0 },
    crew,
  };
  const bill = await billOf(reader, flight, { named: null, currency, now, basis: "block" });
  return bill.payer_id === null ? null : shownBill(reader, bill, currency);
}
