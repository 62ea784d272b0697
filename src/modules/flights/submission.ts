/** Steps that submitting a flight, editing a submitted one and approving it share. */
import { sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { conflict, forbidden } from "../../core/errors.ts";
import type { AircraftId, EnrollmentId, FlightId } from "../../core/ids.ts";
import { ask } from "../../storage/occasions.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import type { AircraftRow } from "../fleet/fleet.queries.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";
import { type FlightFigures, instructionWarnings, type Warning, warnings } from "./flight-rules.ts";
import { enrollmentOf, type FlownFlight, findingsAbout, type Lesson } from "./flights.occasions.ts";
import { crewAccounts, flewOn } from "./flights.queries.ts";
import { flightFlyers } from "./flights.tables.ts";
import { overlapOf } from "./overlaps.queries.ts";

/** @throws FORBIDDEN the actor may submit only flights that they flew, and is not in the crew */
export async function requireCrewMember(tx: Tx<"tenant">, flightId: FlightId, actor: MemberActor): Promise<void> {
  if (permits(actor, "flights:submit_any") || (await flewOn(tx, flightId, actor))) return;
  throw forbidden("not_crew_member", "You may submit only flights that you flew.");
}

/** Records the crew of the submitted revision in `flight_flyers`. Rows of earlier revisions stay. */
export async function recordFlyers(tx: Tx<"tenant">, flightId: FlightId): Promise<void> {
  await tx.each(insertFlyers, [{ id: flightId }]);
}

const insertFlyers = sql`
  insert into ${flightFlyers} (flight_id, person_id, user_id, email) ${crewAccounts} on conflict do nothing`;

type Flown = FlightFigures & { aircraft_id: AircraftId; crew: readonly CrewMember[] };

/**
 * The message tells nothing of the other flight, which the actor may not be allowed to see.
 *
 * @throws CONFLICT the aircraft or a crew member is in another submitted or approved flight at this time
 */
export async function refuseOverlap(reader: Reader<"tenant">, flight: FlownFlight): Promise<void> {
  const other = await overlapOf(reader, flight);
  if (other === undefined) return;
  const taken = other.person_id === null ? "The aircraft" : "A crew member";
  const message = `${taken} is in another flight at this time. Put the times, the aircraft or the crew right. If it is the same flight, one of the two is enough.`;
  throw conflict("flight_overlaps", message, { flight_id: other.id });
}

/** Returns the warnings for a flight that is not submitted: what would refuse its submission is among them. */
export async function warningsOfDraft(tx: Tx<"tenant">, flight: Flown, aircraft: AircraftRow): Promise<Warning[]> {
  const other = await overlapOf(tx, flight);
  return [
    ...warnings(flight, aircraft),
    ...instructionWarnings(flight, aircraft),
    ...(other ? ["flight_overlaps" as const] : []),
  ];
}

/** Asks the clearance about a flight that was made. Before its figures are posted: they count as its own. */
export const clearanceOf = async (reader: Reader<"tenant">, flight: FlownFlight): Promise<FlightFinding[]> =>
  (await ask(reader, findingsAbout, flight)).flat();

/** Returns the enrollment that a flight counts for, if it names a lesson. @throws VALIDATION_ERROR it can't be flown so */
export async function trainingOf(reader: Reader<"tenant">, flight: Lesson): Promise<EnrollmentId | null> {
  if (flight.lesson_id === null) return null;
  return (await ask(reader, enrollmentOf, flight))[0] ?? null;
}
