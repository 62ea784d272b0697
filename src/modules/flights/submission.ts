/** Steps that submitting a flight, editing a submitted one and approving it share. */
import { sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { conflict, forbidden } from "../../core/errors.ts";
import type { AircraftId, FlightId } from "../../core/ids.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import type { FlightFinding } from "../clearance/findings.schemas.ts";
import { findingsOf } from "../clearance/findings.ts";
import { findAircraftRow } from "../fleet/fleet.queries.ts";
import type { CrewMember } from "./crew-rules.ts";
import { counterDifferences, type FlightFigures, instructionWarnings, type Warning, warnings } from "./flight-rules.ts";
import { crewAccounts, type FlightRow, flewOn } from "./flights.queries.ts";
import { flightFlyers } from "./flights.tables.ts";
import { overlapOf } from "./overlaps.queries.ts";

/** @throws FORBIDDEN the actor may submit only flights that they flew, and is not in the crew */
export async function requireCrewMember(tx: Tx<"tenant">, flightId: FlightId, actor: MemberActor): Promise<void> {
  if (permits(actor, "flights:submit_any") || (await flewOn(tx, flightId, actor))) return;
  throw forbidden("not_crew_member", "You may submit only flights that you flew.");
}

/** Records the crew of the submitted revision in `flight_flyers`. Rows of earlier revisions stay. */
export async function recordFlyers(tx: Tx<"tenant">, flightId: FlightId): Promise<void> {
  await tx.run(sql`
    insert into ${flightFlyers} (flight_id, person_id, user_id, email) ${crewAccounts(flightId)}
    on conflict do nothing`);
}

type Flown = FlightFigures & { aircraft_id: AircraftId; crew: readonly CrewMember[] };
type Stored = Flown & Pick<FlightRow, "id" | "nature" | "enrollment_id">;

/**
 * The message tells nothing of the other flight, which the actor may not be allowed to see.
 *
 * @throws CONFLICT the aircraft or a crew member is in another submitted or approved flight at this time
 */
export async function refuseOverlap(reader: Reader<"tenant">, flight: Stored): Promise<void> {
  const other = await overlapOf(reader, flight);
  if (other === undefined) return;
  const taken = other.person_id === null ? "The aircraft" : "A crew member";
  const message = `${taken} is in another flight at this time. Put the times, the aircraft or the crew right. If it is the same flight, one of the two is enough.`;
  throw conflict("flight_overlaps", message, { flight_id: other.id });
}

/** Returns the warnings for a flight that is not submitted: what would refuse its submission is among them. */
export async function warningsOfDraft(tx: Tx<"tenant">, flight: Flown): Promise<Warning[]> {
  const aircraft = await findAircraftRow(tx, flight.aircraft_id);
  const other = await overlapOf(tx, flight);
  return [
    ...(aircraft ? [...warnings(flight, aircraft), ...instructionWarnings(flight, aircraft)] : []),
    ...(other ? ["flight_overlaps" as const] : []),
  ];
}

/** Returns the warnings for the flight, compared with the aircraft's current counters and its seats. */
export async function warningsOf(tx: Tx<"tenant">, flight: Flown): Promise<Warning[]> {
  const aircraft = await findAircraftRow(tx, flight.aircraft_id);
  return aircraft === undefined ? [] : warnings(flight, aircraft);
}

/** Asks the clearance about a flight that was made. Before its figures are posted: they count as its own. */
export async function clearanceOf(reader: Reader<"tenant">, flight: Stored): Promise<FlightFinding[]> {
  const { aircraft_id, crew, off_block_at, on_block_at, passengers, night_landings, night_minutes } = flight;
  const { enrollment_id } = flight;
  if (off_block_at === null || on_block_at === null) throw new Error("A submitted flight has both times.");
  const night = night_landings > 0 || night_minutes > 0;
  const use = {
    at: off_block_at,
    ends_at: on_block_at,
    adds: counterDifferences(flight),
    passengers,
    night,
    enrollment_id,
  };
  return findingsOf(reader, { aircraft_id, crew, use, flight });
}
