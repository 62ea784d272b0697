/** Steps that drafting, editing, submitting and approving a flight share. */
import { sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { allInOrder } from "../../core/async.ts";
import { conflict, forbidden, throwIfAny } from "../../core/errors.ts";
import type { EnrollmentId, FlightId } from "../../core/ids.ts";
import { ask } from "../../storage/occasions.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import type { AircraftRow } from "../fleet/fleet.queries.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";
import { checkContent } from "./flight-content.ts";
import { completenessIssues, instructionWarnings, type Warning, warnings } from "./flight-rules.ts";
import { enrollmentOf, type FlownFlight, findingsAbout, type Lesson } from "./flights.occasions.ts";
import { crewAccounts, type FlightRow, flewOn } from "./flights.queries.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { flightFlyers } from "./flights.tables.ts";
import { overlapOf } from "./overlaps.queries.ts";

/** Returns whether the actor may submit the flight: others may submit only flights that they flew. */
export const maySubmit = async (tx: Tx<"tenant">, flightId: FlightId, actor: MemberActor): Promise<boolean> =>
  permits(actor, "flights:submit_any") || flewOn(tx, flightId, actor);

export const notCrewMember = () => forbidden("not_crew_member", "You may submit only flights that you flew.");

/** Records the crew of the submitted revision in `flight_flyers`. Rows of earlier revisions stay. */
export async function recordFlyers(tx: Tx<"tenant">, flightId: FlightId): Promise<void> {
  await tx.each(insertFlyers, [{ id: flightId }]);
}

const insertFlyers = sql`
  insert into ${flightFlyers} (flight_id, person_id, user_id, email) ${crewAccounts} on conflict do nothing`;

interface Submission {
  enrollment_id: EnrollmentId | null;
  warnings: Warning[];
  findings: FlightFinding[];
}

/**
 * Checks a flight that is being submitted, or is edited while it is. Its clearance is asked.
 *
 * @param before the stored flight
 * @throws VALIDATION_ERROR; CONFLICT
 */
export async function checkSubmission(
  tx: Tx<"tenant">,
  flight: FlightContent & FlownFlight,
  before: FlightRow,
): Promise<Submission> {
  const [aircraft, , enrollment_id, findings] = await allInOrder([
    checkComplete(tx, flight, before),
    refuseOverlap(tx, flight),
    trainingOf(tx, { ...flight, before, isComplete: true }),
    clearanceOf(tx, flight),
  ]);
  return { enrollment_id, warnings: warnings(flight, aircraft), findings };
}

async function checkComplete(tx: Tx<"tenant">, content: FlightContent, before: FlightRow): Promise<AircraftRow> {
  const aircraft = await checkContent(tx, content, before);
  throwIfAny(completenessIssues(content, aircraft, tx.now));
  return aircraft;
}

/**
 * Checks a flight that is not submitted. What would refuse its submission is among the warnings.
 *
 * @param before the stored flight
 * @throws VALIDATION_ERROR; CONFLICT
 */
export async function checkDraft(
  tx: Tx<"tenant">,
  flight: FlightContent & { id?: FlightId },
  before?: FlightRow,
): Promise<Submission> {
  const [aircraft, enrollment_id, other] = await allInOrder([
    checkContent(tx, flight, before),
    trainingOf(tx, { ...flight, ...(before && { before }), isComplete: false }),
    overlapOf(tx, flight),
  ]);
  const found = [
    ...warnings(flight, aircraft),
    ...instructionWarnings(flight, aircraft),
    ...(other ? ["flight_overlaps" as const] : []),
  ];
  return { enrollment_id, warnings: found, findings: [] };
}

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

/** Asks the clearance about a flight that was made. Before its figures are posted: they count as its own. */
export const clearanceOf = async (reader: Reader<"tenant">, flight: FlownFlight): Promise<FlightFinding[]> =>
  (await ask(reader, findingsAbout, flight)).flat();

/** Returns the enrollment that a flight counts for, if it names a lesson. @throws VALIDATION_ERROR it can't be flown so */
export async function trainingOf(reader: Reader<"tenant">, flight: Lesson): Promise<EnrollmentId | null> {
  if (flight.lesson_id === null) return null;
  return (await ask(reader, enrollmentOf, flight))[0] ?? null;
}
