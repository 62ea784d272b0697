import { and, eq, exists, or, type SQL, sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { FlightId, PersonId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { changeTime } from "../../storage/changes.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { descending, type Marked, nullAsEmpty, type PageRequest, pageBody, pageBy } from "../../storage/page.ts";
import { resourceBy, resourceJson } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { type Identity, identitiesOf } from "../people/identity.queries.ts";
import { people } from "../people/people.tables.ts";
import { seesAllFindings } from "../rules/who-sees-findings.ts";
import type { CrewWithLandings } from "./crew-landings.ts";
import type { FlightFilter, FlightListFilter } from "./flights.schemas.ts";
import { type Flight, flight, type PublicFlight, publicFlight } from "./flights.shapes.ts";
import { flightCrew, flightFlyers, flights, hasWorkshopRemarks, isPublic } from "./flights.tables.ts";
import { matchingIn, ownFlights } from "./own-flights.queries.ts";

type TenantReader = Reader<"tenant">;

/** A row of `flights` with its crew in order. */
export type FlightRow = typeof flights.$inferSelect & { crew: CrewWithLandings[] };

/** @throws NOT_FOUND no such flight, or the actor may not see it */
export async function requireFlight(reader: TenantReader, id: FlightId, actor: MemberActor): Promise<FlightRow> {
  const [row] = await reader
    .select()
    .from(flights)
    .where(and(eq(flights.id, id), visibleTo(reader, actor)));
  if (row === undefined) throw notFound();
  const { person_id, function: onBoard, day_landings, night_landings } = flightCrew;
  const crew = await reader
    .select({ person_id, function: onBoard, day_landings, night_landings })
    .from(flightCrew)
    .where(eq(flightCrew.flight_id, id))
    .orderBy(flightCrew.position);
  return { ...row, crew };
}

/** Its reads do not check the actor. */
export const flightEntity = entityOf("flight", {
  table: flights,
  shape: flight,
  path: { flightId: flights.id },
  changeTime: changeTime(flights, isPublic),
});

/** Returns the flight as the actor sees it. @throws NOT_FOUND no such flight, or the actor may not see it */
export const findFlight = (reader: TenantReader, id: FlightId, actor: MemberActor): Promise<JsonOf<Flight>> =>
  permits(actor, "flights:read") && seesAllFindings(actor)
    ? flightEntity.read(reader, id)
    : resourceJson(reader, flightFor(actor), {
        from: flights,
        where: and(eq(flights.id, id), visibleTo(reader, actor)),
      });

/** The flight with the findings that the actor may see. */
const flightFor = (actor: MemberActor): typeof flight =>
  seesAllFindings(actor)
    ? flight
    : flightShowing(sql`(select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`);

/** The flight with the findings about the aircraft and about these people. */
export const flightShowing = (personIds: SQL): typeof flight => {
  const shown = sql`
    (select json_group_array(json(finding.value)) from json_each(${flights.findings}) as finding
    where finding.value ->> '$.person_id' is null or finding.value ->> '$.person_id' in ${personIds})`;
  // Most have none, and to change JSON takes as long as to build it.
  const json = sql<string>`iif(${flights.findings} = '[]', ${flight.json}, json_set(${flight.json}, '$.findings', json(${shown})))`;
  return { ...flight, json };
};

/** Returns a flight that a verb has read, as the actor sees it. */
export const shownTo = async (
  reader: TenantReader,
  actor: MemberActor,
  read: JsonOf<Flight>,
): Promise<JsonOf<Flight>> =>
  seesAllFindings(actor)
    ? read
    : resourceJson(reader, flightFor(actor), { from: flights, where: eq(flights.id, read.value.id) });

/** Returns the flight as the public API and events show it. @throws NOT_FOUND no such flight, or it is a draft */
export const findPublicFlight = (reader: TenantReader, id: FlightId): Promise<JsonOf<PublicFlight>> =>
  publicFlightById(reader, { id });

const publicFlightById = resourceBy(publicFlight, {
  from: flights,
  where: and(eq(flights.id, sql.placeholder("id")), isPublic),
});

const matching = (filter: Marked<FlightFilter>): SQL | undefined =>
  matchingIn({ ...flights, off_block_at: nullAsEmpty(flights.off_block_at) }, filter);

export const newestFirst = descending(publicFlight, "off_block_at", "id");

/** Returns the bytes of JSON text, newest first by `off_block_at`; flights without one come last. */
export const listFlights = async (reader: TenantReader, actor: MemberActor, query: FlightListFilter & PageRequest) => {
  const { limit, offset, cursor, with_total, ...filter } = query;
  return pageBody(reader, flightFor(actor), {
    limit,
    offset,
    cursor,
    with_total,
    ...(permits(actor, "flights:read")
      ? { from: flights, where: filter.workshop_remarks ? forWorkshop(filter) : matching(filter) }
      : await ownFlights(reader, actor, filter)),
    orderBy: newestFirst,
  });
};

/** With `+`, because the few flights with remarks are in an index of their own. */
const forWorkshop = ({ status, ...filter }: FlightListFilter): SQL | undefined =>
  and(hasWorkshopRemarks, status && sql`+${flights.status} = ${status}`, matching(filter));

/** Like `listFlights`, for the public API: without drafts; with `updated_since` in the order of changes. */
export const listPublicFlights = pageBy(publicFlight, {
  from: flights,
  where: (filter: Marked<FlightFilter>) => and(isPublic, matching(filter)),
  orderBy: newestFirst,
});

/** Returns no filter for actors with `flights:read`; otherwise a filter for the flights they drafted or flew. */
const visibleTo = (reader: TenantReader, actor: MemberActor): SQL | undefined =>
  permits(actor, "flights:read") ? undefined : isOwn(reader, actor);

/** Whether the actor drafted or flew a flight. */
const isOwn = (reader: TenantReader, actor: MemberActor): SQL | undefined =>
  or(eq(flights.created_by, actor.userId), flownBy(reader, actor));

/** Matches flights with the actor in the crew: by the person's linked account or by their e-mail address. */
const flownBy = (reader: TenantReader, { userId, email }: MemberActor): SQL =>
  exists(
    reader
      .select({ one: sql`1` })
      .from(flightCrew)
      .innerJoin(people, eq(people.id, flightCrew.person_id))
      .where(and(eq(flightCrew.flight_id, flights.id), or(eq(people.user_id, userId), eq(people.email, email)))),
  );

/** Returns whether the actor is in the crew of the flight. */
export async function flewOn(reader: TenantReader, id: FlightId, actor: MemberActor): Promise<boolean> {
  const rows = await reader
    .select({ id: flights.id })
    .from(flights)
    .where(and(eq(flights.id, id), flownBy(reader, actor)));
  return rows.length > 0;
}

/** The flights with the person in the crew. */
export const flightsOfPerson = (id: PersonId): SQL =>
  sql`(select ${flightCrew.flight_id} from ${flightCrew} where ${flightCrew.person_id} = ${id})`;

/** The drafts with nobody else in the crew: an erasure deletes them, and with them what refers to them. */
export const draftsOnlyOf = (id: PersonId): SQL => sql`
  (select ${flights.id} from ${flights} where ${flights.id} in ${flightsOfPerson(id)} and ${flights.status} = 'draft'
  and not exists (select 1 from ${flightCrew} where ${flightCrew.flight_id} = ${flights.id} and ${flightCrew.person_id} <> ${id}))`;

/** A person named in the crew of a submitted revision: an account and an e-mail address that they have or had. */
export interface Flyer extends Identity {
  /** Whether the person is in the crew of the current revision. */
  on_board: boolean;
}

/**
 * Returns the flyers of all submitted revisions, with the account and the e-mail address that each had when the revision
 * was submitted, has now, and ever had: otherwise dropping the link before a flight would be enough to approve it oneself.
 */
export async function flyersOf(reader: TenantReader, id: FlightId): Promise<Flyer[]> {
  const named = await reader
    .select({
      person_id: flightFlyers.person_id,
      user_id: flightFlyers.user_id,
      email: flightFlyers.email,
      on_board: sql<number>`exists (select 1 from ${flightCrew}
        where ${flightCrew.flight_id} = ${flights.id} and ${flightCrew.person_id} = ${flightFlyers.person_id})`,
    })
    .from(flightFlyers)
    .innerJoin(flights, eq(flights.id, flightFlyers.flight_id))
    .where(eq(flightFlyers.flight_id, id));
  const onBoard = new Set(named.flatMap(({ person_id, on_board }) => (on_board === 1 ? [person_id] : [])));
  const flyers = [...new Set(named.map(({ person_id }) => person_id))];
  return [...named, ...(await identitiesOf(reader, flyers))].map(({ person_id, user_id, email }) => ({
    person_id,
    user_id,
    email,
    on_board: onBoard.has(person_id),
  }));
}

/** The crew of a flight with the account and the e-mail address of each now: `flight_flyers` is filled from it. */
export const crewAccounts = (id: FlightId): SQL => sql`
  select ${flightCrew.flight_id}, ${people.id}, ${people.user_id}, ${people.email}
  from ${flightCrew} join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${flightCrew.flight_id} = ${id}`;
