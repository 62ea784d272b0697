/** What submitting and editing a submitted flight have in common. */
import { type MemberActor, permits } from "../../core/actor.ts";
import { forbidden } from "../../core/errors.ts";
import type { AircraftId, FlightId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { findAircraftRow } from "../fleet/fleet.queries.ts";
import { type FlightFigures, type Warning, warnings } from "./flight-rules.ts";
import { flewOn } from "./flights.queries.ts";

/** @throws FORBIDDEN somebody who may submit only flights of their own was not on board */
export async function requireCrewMember(tx: Tx<"tenant">, flightId: FlightId, actor: MemberActor): Promise<void> {
  if (permits(actor, "flights:submit_any") || (await flewOn(tx, flightId, actor))) return;
  throw forbidden("You may submit only flights that you flew.");
}

/** What looks odd about the flight beside the aircraft's counters as they are now. */
export async function warningsOf(
  tx: Tx<"tenant">,
  flight: FlightFigures & { aircraftId: AircraftId },
): Promise<Warning[]> {
  const aircraft = await findAircraftRow(tx, flight.aircraftId);
  return aircraft === undefined ? [] : warnings(flight, aircraft);
}
