/** What is charged of a flight, in hundredths of the unit. */

import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { airborneMinutes, blockMinutes } from "../../flights/flight-rules.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { MissingPart } from "../finance.tables.ts";

/** What decides the cost of a flight. */
export type Billable = Pick<
  FlightRow,
  | "aircraft_id"
  | "nature"
  | "off_block_at"
  | "take_off_at"
  | "landing_at"
  | "on_block_at"
  | "hobbs_start"
  | "hobbs_end"
  | "tacho_start"
  | "tacho_end"
  | "fuel_uplift_litres"
  | "arrival"
  | "day_landings"
  | "night_landings"
> & { crew: readonly CrewMember[] };

type Measured = { quantity: number } | { missing: MissingPart };

const ofMinutes = (minutes: number | null): Measured =>
  minutes === null ? { missing: "times" } : { quantity: minutes * 100 };

/** @param start in hundredths of an hour, of which each is 0.6 minutes */
const ofCounter = (start: number | null, end: number | null): Measured =>
  start === null || end === null ? { missing: "counter_reading" } : { quantity: (end - start) * 60 };

export const blockTime = (flight: Billable): Measured => ofMinutes(blockMinutes(flight));

/** Returns the time of the aircraft's billing basis, exactly. */
export function billedTime(flight: Billable, basis: AircraftRow["billing_basis"]): Measured {
  switch (basis) {
    case "block":
      return blockTime(flight);
    case "airborne":
      return ofMinutes(airborneMinutes(flight));
    case "hobbs":
      return ofCounter(flight.hobbs_start, flight.hobbs_end);
    case "tacho":
      return ofCounter(flight.tacho_start, flight.tacho_end);
  }
}

export const landingsOf = ({ day_landings, night_landings }: Billable): number => (day_landings + night_landings) * 100;
