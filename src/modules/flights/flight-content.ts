/** Checks a flight's fields and references, and writes its crew. */
import { conflict, type Issue, invalid } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { findAircraftRow } from "../fleet/fleet.queries.ts";
import { knownPeople } from "../people/people.queries.ts";
import { type CrewMember, consistencyIssues } from "./flight-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { flightCrew } from "./flights.tables.ts";

/** @throws VALIDATION_ERROR impossible values, unknown aircraft or crew; CONFLICT the aircraft is archived */
export async function checkContent(tx: Tx<"tenant">, content: FlightContent): Promise<void> {
  throwIfAny([...consistencyIssues(content), ...(await unknownCrew(tx, content.crew))]);
  const aircraft = await findAircraftRow(tx, content.aircraft_id);
  if (aircraft === undefined)
    throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
  if (aircraft.status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
}

/** @throws VALIDATION_ERROR there is an issue */
export function throwIfAny(issues: readonly Issue[]): void {
  const [first, ...rest] = issues;
  if (first !== undefined) throw invalid(first, ...rest);
}

async function unknownCrew(reader: Reader<"tenant">, crew: readonly CrewMember[]): Promise<Issue[]> {
  if (crew.length === 0) return [];
  const ids = crew.map(({ person_id }) => person_id);
  const known = await knownPeople(reader, ids);
  return crew.flatMap(({ person_id }, index) =>
    known.has(person_id)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );
}

/** Inserts the crew in the given order. */
export async function insertCrew(tx: Tx<"tenant">, flightId: FlightId, crew: readonly CrewMember[]): Promise<void> {
  for (const [position, member] of crew.entries())
    await insertRow(tx, flightCrew, { flight_id: flightId, position, ...member });
}
