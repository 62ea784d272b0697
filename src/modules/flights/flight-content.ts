/** Checks a flight's fields and references, and writes its crew. */
import { sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { conflict, type Issue, throwIfAny } from "../../core/errors.ts";
import type { FlightId, PersonId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Tx } from "../../storage/store.ts";
import { requireUsable } from "../fleet/fleet.queries.ts";
import { statusOfPeople } from "../people/people.queries.ts";
import { type CrewWithLandings, landingIssues } from "./crew-landings.ts";
import { type CrewMember, consistencyIssues, natureIssues } from "./flight-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { flightCrew, flights } from "./flights.tables.ts";

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
  throwIfAny([...consistencyIssues(content), ...landingIssues(content), ...unknownCrew(crew, known)]);
  const isNew = (id: PersonId) => !present.some(({ person_id }) => person_id === id);
  if (crew.some(({ person_id }) => known.get(person_id) === "archived" && isNew(person_id)))
    throw conflict("person_archived", "A crew member is archived.");
  throwIfAny(natureIssues(content, await requireUsable(tx, content.aircraft_id)));
}

const unknownCrew = (crew: readonly CrewMember[], known: ReadonlyMap<PersonId, unknown>): Issue[] =>
  crew.flatMap(({ person_id }, index) =>
    known.has(person_id)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );

/** Inserts the crew in the given order. @param logged_at the off-block time of a flight that is approved already */
export async function insertCrew(
  tx: Tx<"tenant">,
  flightId: FlightId,
  crew: readonly CrewWithLandings[],
  logged_at: Instant | null = null,
): Promise<void> {
  for (const [position, member] of crew.entries())
    await insertRow(tx, flightCrew, { flight_id: flightId, position, ...member, logged_at });
}

/** Puts the flight into the logbooks of its crew, or takes it out: call it when the flight's approval has changed. */
export const updateLogbooks = (tx: Tx<"tenant">, id: FlightId): Promise<unknown> =>
  tx.run(sql`
    update ${flightCrew} set logged_at = (
      select ${flights.off_block_at} from ${flights} where ${flights.id} = flight_id and ${flights.status} = 'approved')
    where flight_id = ${id}`);
