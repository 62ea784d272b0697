/** Checks a flight's fields and references, and writes its crew. */
import { sql } from "drizzle-orm";
import { conflict, type Issue, throwIfAny } from "../../core/errors.ts";
import type { FlightId, PersonId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import type { Tx } from "../../storage/store.ts";
import { type AircraftRow, findAircraftRow, usable } from "../fleet/fleet.queries.ts";
import { statusOfPeople } from "../people/people.queries.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { type CrewWithLandings, landingIssues } from "./crew-landings.ts";
import { consistencyIssues, natureIssues } from "./flight-rules.ts";
import type { FlightRow } from "./flights.queries.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { publicFlight } from "./flights.shapes.ts";
import { flightCrew, flights } from "./flights.tables.ts";
import { checkSupervisor } from "./supervisor.ts";

/**
 * @returns the aircraft
 * @param before the flight before the change: its crew and its supervisor may be archived since
 * @throws VALIDATION_ERROR impossible values, unknown aircraft or crew; CONFLICT the aircraft or a new crew member is archived
 */
export async function checkContent(
  tx: Tx<"tenant">,
  content: FlightContent,
  before?: Pick<FlightRow, "crew" | "supervisor_id">,
): Promise<AircraftRow> {
  const present = before?.crew ?? [];
  const { crew } = content;
  const ids = crew.map(({ person_id }) => person_id);
  const [known, row] = await Promise.all([statusOfPeople(tx, ids), findAircraftRow(tx, content.aircraft_id)]);
  throwIfAny([...consistencyIssues(content), ...landingIssues(content), ...unknownCrew(crew, known)]);
  const isNew = (id: PersonId) => !present.some(({ person_id }) => person_id === id);
  if (crew.some(({ person_id }) => known.get(person_id) === "archived" && isNew(person_id)))
    throw conflict("person_archived", "A crew member is archived.");
  await checkSupervisor(tx, content, before?.supervisor_id);
  const aircraft = usable(row);
  throwIfAny(natureIssues(content, aircraft));
  return aircraft;
}

const unknownCrew = (crew: readonly CrewMember[], known: ReadonlyMap<PersonId, unknown>): Issue[] =>
  crew.flatMap(({ person_id }, index) =>
    known.has(person_id)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );

/** Inserts the crew of a flight in the given order. */
export async function insertCrew(
  tx: Tx<"tenant">,
  flightId: FlightId,
  crew: readonly CrewWithLandings[],
): Promise<void> {
  for (const [position, member] of crew.entries())
    await insertRow(tx, flightCrew, { flight_id: flightId, position, ...member });
  await copyToCrew(tx, flightId);
}

/**
 * Copies what the lists of a member need from the flight to its crew: call it when the flight has changed. While it is approved,
 * it is in their logbooks.
 */
export const copyToCrew = (tx: Tx<"tenant">, id: FlightId): Promise<unknown> => tx.each(copies, [[id]]);

const copies = sql`
  update ${flightCrew} set (off_block_at, status, aircraft_id, has_workshop_remarks, logged_at, logged_minutes) = (
    select ${nullAsEmpty(flights.off_block_at)}, ${flights.status}, ${flights.aircraft_id},
      ${flights.workshop_remarks} is not null, iif(${flights.status} = 'approved', ${flights.off_block_at}, null),
      iif(${flights.status} = 'approved', ${publicFlight.fields.block_minutes.value}, null)
    from ${flights} where ${flights.id} = ${flightCrew.flight_id})
  where ${flightCrew.flight_id} = ${sql.placeholder("id")}`;
