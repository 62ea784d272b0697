/**
 * The flights of one person, and those that a member drafted or flew, for members who see no others. Who drafted a flight is in its
 * row, and who flew it in those of its crew: each is read in the order of an index, and so are the filters, from its last columns.
 */
import { and, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../core/actor.ts";
import type { AircraftId, PersonId } from "../../core/ids.ts";
import { descending, type Marked, type Merged, nullAsEmpty, reversed } from "../../storage/page.ts";
import { field } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { people } from "../people/people.tables.ts";
import type { FlightFilter, FlightListFilter } from "./flights.schemas.ts";
import { flight } from "./flights.shapes.ts";
import { flightCrew, flights, hasWorkshopRemarks } from "./flights.tables.ts";

interface OfAircraft {
  aircraft_ids?: readonly AircraftId[] | undefined;
}

/** @param columns `off_block_at` is the empty text for a flight without one */
export const matchingIn = (
  { off_block_at, ...columns }: Record<"status" | "aircraft_id" | "off_block_at", SQLWrapper>,
  { status, aircraft_id, aircraft_ids, from, to }: Marked<FlightFilter> & OfAircraft,
): SQL | undefined =>
  and(
    status && sql`${columns.status} = ${status}`,
    aircraft_id && sql`${columns.aircraft_id} = ${aircraft_id}`,
    aircraft_ids && sql`${columns.aircraft_id} in (select value from json_each(${JSON.stringify(aircraft_ids)}))`,
    from && sql`${off_block_at} >= ${from}`,
    to && sql`${off_block_at} < ${to}`,
    to && from === undefined ? sql`${off_block_at} > ''` : undefined,
  );

export async function ownFlights(
  reader: Reader<"tenant">,
  actor: MemberActor,
  filter: FlightListFilter & OfAircraft,
  isReversed = false,
): Promise<Merged> {
  const persons = await personsOf(reader, actor);
  const isOneOf = persons.length > MOST_PARTS ? [inArray(flightCrew.person_id, persons)] : persons.map(isPerson);
  return merged([drafted(actor, filter), ...isOneOf.map((condition) => flown(condition, filter))], isReversed);
}

/** Returns the flights with a person in the crew, for members who see all. */
export const flightsWith = (
  person_id: PersonId,
  { person_id: _, ...filter }: FlightListFilter,
  isReversed = false,
): Merged => merged([flown(isPerson(person_id), filter)], isReversed);

const merged = (parts: Merged["parts"], isReversed: boolean): Merged => ({
  parts: parts.map(({ orderBy, ...part }) => ({ ...part, orderBy: isReversed ? reversed(orderBy) : orderBy })),
  join: sql`cross join ${flights} on ${flights.id} = page.id`,
});

/** Matches flights with a person in the crew. @param flight_id of the flight */
export const isWith = (flight_id: SQLWrapper, person_id: PersonId): SQL =>
  sql`exists (select 1 from ${flightCrew} as other where other.flight_id = ${flight_id} and other.person_id = ${person_id})`;

/** A person is one part. SQLite sorts the flights of more people with one e-mail address than a family has. */
const MOST_PARTS = 8;

const isPerson = (id: PersonId): SQL => eq(flightCrew.person_id, id);

/** With `+`, because SQLite would otherwise take the index of the school's flights with this status or aircraft. */
const drafted = (
  { userId }: MemberActor,
  { workshop_remarks, person_id, ...filter }: FlightListFilter & OfAircraft,
) => {
  const off_block_at = nullAsEmpty(flights.off_block_at);
  const [status, aircraft_id] = [sql`+${flights.status}`, sql`+${flights.aircraft_id}`];
  return {
    from: flights,
    where: and(
      eq(flights.created_by, userId),
      matchingIn({ status, aircraft_id, off_block_at }, filter),
      workshop_remarks ? hasWorkshopRemarks : undefined,
      person_id && isWith(flights.id, person_id),
    ),
    orderBy: descending(flight, "off_block_at", "id"),
  };
};

const flown = (isOneOf: SQL, { workshop_remarks, person_id, ...filter }: FlightListFilter & OfAircraft) => ({
  from: flightCrew,
  where: and(
    isOneOf,
    matchingIn(flightCrew, filter),
    workshop_remarks ? eq(flightCrew.has_workshop_remarks, true) : undefined,
    person_id && isWith(flightCrew.flight_id, person_id),
  ),
  orderBy: byCrew,
});

const byCrew = descending(
  {
    fields: {
      off_block_at: field(flight.fields.id.schema, flightCrew.off_block_at),
      id: field(flight.fields.id.schema, flightCrew.flight_id),
    },
  },
  "off_block_at",
  "id",
);

/** The people whom the actor's account is linked to, and those with its e-mail address. */
async function personsOf(reader: Reader<"tenant">, { userId, email }: MemberActor): Promise<PersonId[]> {
  const row = await reader.first(persons, { userId, email });
  return JSON.parse(String(row?.[0])) as PersonId[];
}

const persons = sql`select json_group_array(${people.id}) from ${people}
  where ${people.user_id} = ${sql.placeholder("userId")} or ${people.email} = ${sql.placeholder("email")}`;
