/** Checks a flight's fields and references, and writes its crew. */
import { conflict, type Issue, invalid } from "../../core/errors.ts";
import type { FlightId, PersonId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Tx } from "../../storage/store.ts";
import { findAircraftRow } from "../fleet/fleet.queries.ts";
import { statusOfPeople } from "../people/people.queries.ts";
import { type CrewMember, consistencyIssues, natureIssues } from "./flight-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { flightCrew } from "./flights.tables.ts";

/**
 * @param present the flight's crew before the change, who may be archived since
 * @throws VALIDATION_ERROR impossible values, unknown aircraft or crew; CONFLICT the aircraft or a new crew member is archived
 */
export async function checkContent(
  tx: Tx<"tenant">,
  content: FlightContent,
  present: readonly CrewMember[] = [],
): Promise<void> {
  const { crew } = content;
  const ids = crew.map(({ person_id }) => person_id);
  const known = await statusOfPeople(tx, ids);
  throwIfAny([...consistencyIssues(content), ...unknownCrew(crew, known)]);
  const isNew = (id: PersonId) => !present.some(({ person_id }) => person_id === id);
  if (crew.some(({ person_id }) => known.get(person_id) === "archived" && isNew(person_id)))
    throw conflict("person_archived", "A crew member is archived.");
  const aircraft = await findAircraftRow(tx, content.aircraft_id);
  if (aircraft === undefined)
    throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
  if (aircraft.status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
  throwIfAny(natureIssues(content, aircraft));
}

/** @throws VALIDATION_ERROR there is an issue */
export function throwIfAny(issues: readonly Issue[]): void {
  const [first, ...rest] = issues;
  if (first !== undefined) throw invalid(first, ...rest);
}

const unknownCrew = (crew: readonly CrewMember[], known: ReadonlyMap<PersonId, unknown>): Issue[] =>
  crew.flatMap(({ person_id }, index) =>
    known.has(person_id)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );

/** Inserts the crew in the given order. */
export async function insertCrew(tx: Tx<"tenant">, flightId: FlightId, crew: readonly CrewMember[]): Promise<void> {
  for (const [position, member] of crew.entries())
    await insertRow(tx, flightCrew, { flight_id: flightId, position, ...member });
}
