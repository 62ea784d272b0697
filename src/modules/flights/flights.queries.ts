import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { EnrollmentId, FlightId, PersonId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { changeTime } from "../../storage/changes.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { lookUp, lookUpAll } from "../../storage/lookup.ts";
import {
  descending,
  type InOrder,
  type Marked,
  nullAsEmpty,
  type PageRequest,
  pageBody,
  pageBy,
  reversed,
} from "../../storage/page.ts";
import { resourceBy } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { type Identity, identitiesIn } from "../people/identity.queries.ts";
import { people } from "../people/people.tables.ts";
import { seesAllFindings } from "../rules/who-sees-findings.ts";
import type { CrewWithLandings } from "./crew-landings.ts";
import type { FlightFilter, FlightListFilter } from "./flights.schemas.ts";
import { type Flight, flight, type PublicFlight, publicFlight } from "./flights.shapes.ts";
import { flightCrew, flightFlyers, flights, hasWorkshopRemarks, isPublic } from "./flights.tables.ts";
import { flightsWith, isWith, matchingIn, ownFlights } from "./own-flights.queries.ts";

type TenantReader = Reader<"tenant">;

/** A row of `flights` with its crew in order. */
export type FlightRow = typeof flights.$inferSelect & { crew: CrewWithLandings[] };

const value = sql.placeholder;
const isIt = sql`${flights.id} = ${value("id")}`;

/** Matches flights with somebody in the crew: by the person's linked account or by their e-mail address. */
const isFlownBy = (userId: SQLWrapper, email: SQLWrapper): SQL =>
  sql`exists (select 1 from ${flightCrew} join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${flightCrew.flight_id} = ${flights.id}
    and (${people.user_id} = ${userId} or ${people.email} = ${email}))`;
const isFlown = isFlownBy(value("userId"), value("email"));

/** Matches flights that the actor drafted or flew. */
const isOwn = sql`(${flights.created_by} = ${value("userId")} or ${isFlown})`;
const isOwnOf = ({ userId, email }: MemberActor): SQL =>
  sql`(${flights.created_by} = ${userId} or ${isFlownBy(sql`${userId}`, sql`${email}`)})`;

const rowById = lookUp(getTableColumns(flights), sql`from ${flights} where ${isIt}`);
const newestRow = lookUp(
  getTableColumns(flights),
  sql`from ${flights} where ${isPublic} order by ${flights.id} desc limit 1`,
);
const ownRowById = lookUp(getTableColumns(flights), sql`from ${flights} where ${isIt} and ${isOwn}`);

const { person_id, function: onBoard, day_landings, night_landings } = flightCrew;
const crewOf = lookUpAll(
  { person_id, function: onBoard, day_landings, night_landings },
  sql`from ${flightCrew} where ${flightCrew.flight_id} = ${value("id")} order by ${flightCrew.position}`,
);

/** @throws NOT_FOUND no such flight, or the actor may not see it */
export async function requireFlight(reader: TenantReader, id: FlightId, actor: MemberActor): Promise<FlightRow> {
  const { userId, email } = actor;
  const [row, crew] = await Promise.all([
    seesAll(actor) ? rowById(reader, { id }) : ownRowById(reader, { id, userId, email }),
    crewOf(reader, { id }),
  ]);
  if (row === undefined) throw notFound();
  return { ...row, crew };
}

/** Returns the flight that was added last, of those that were submitted. */
export async function newestFlight(reader: TenantReader): Promise<FlightRow | undefined> {
  const row = await newestRow(reader, {});
  return row && { ...row, crew: await crewOf(reader, { id: row.id }) };
}

/** Without it, an actor sees only the flights that they drafted or flew. */
const seesAll = (actor: MemberActor): boolean => permits(actor, "flights:read");

/** Its reads do not check the actor. */
export const flightEntity = entityOf("flight", {
  table: flights,
  shape: flight,
  path: { flightId: flights.id },
  changeTime: changeTime(flights, isPublic),
});

/** Returns the flight as the actor sees it. @throws NOT_FOUND no such flight, or the actor may not see it */
export function findFlight(reader: TenantReader, id: FlightId, actor: MemberActor): Promise<JsonOf<Flight>> {
  const { userId, email } = actor;
  if (!seesAll(actor)) return (seesAllFindings(actor) ? ownFlight : ownFlightShowing)(reader, { id, userId, email });
  return seesAllFindings(actor) ? flightEntity.read(reader, id) : showing(reader, { id, userId });
}

/** The flight with the findings about the aircraft and about these people. */
export const flightShowing = (personIds: SQL): typeof flight => {
  const shown = sql`
    (select json_group_array(json(finding.value)) from json_each(${flights.findings}) as finding
    where finding.value ->> '$.person_id' is null or finding.value ->> '$.person_id' in ${personIds})`;
  // Most have none, and to change JSON takes as long as to build it.
  const json = sql<string>`iif(${flights.findings} = '[]', ${flight.json}, json_set(${flight.json}, '$.findings', json(${shown})))`;
  return { ...flight, json };
};

/** With the findings that a member may see who does not see all. */
const memberFlight = flightShowing(
  sql`(select ${people.id} from ${people} where ${people.user_id} = ${value("userId")})`,
);
const showing = resourceBy(memberFlight, { from: flights, where: isIt });
const ownFlight = resourceBy(flight, { from: flights, where: and(isIt, isOwn) });
const ownFlightShowing = resourceBy(memberFlight, { from: flights, where: and(isIt, isOwn) });

/** Returns a flight that a verb has read, as the actor sees it. */
export const shownTo = async (
  reader: TenantReader,
  actor: MemberActor,
  read: JsonOf<Flight>,
): Promise<JsonOf<Flight>> => {
  const { id, findings } = read.value;
  return findings.length === 0 || seesAllFindings(actor) ? read : showing(reader, { id, userId: actor.userId });
};

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
const oldestFirst = reversed(newestFirst);

/** Returns the bytes of JSON text, newest first by `off_block_at`; flights without one come last. With `order` the other way round. */
export const listFlights = async (
  reader: TenantReader,
  actor: MemberActor,
  query: FlightListFilter & InOrder & PageRequest,
) => {
  const { limit, offset, cursor, with_total, order, enrollment_id, ...filter } = query;
  const { person_id, ...others } = filter;
  const isReversed = order === "off_block_at";
  const shape = seesAllFindings(actor)
    ? flight
    : flightShowing(sql`(select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`);
  return pageBody(reader, shape, {
    limit,
    offset,
    cursor,
    with_total,
    ...(enrollment_id !== undefined
      ? { from: flights, where: ofTraining(enrollment_id, filter, actor) }
      : !seesAll(actor)
        ? await ownFlights(reader, actor, filter, isReversed)
        : person_id !== undefined
          ? flightsWith(person_id, others, isReversed)
          : { from: flights, where: filter.workshop_remarks ? forWorkshop(others) : matching(others) }),
    orderBy: isReversed ? oldestFirst : newestFirst,
  });
};

/** The flights of one training are few: they are found by its index, and sorted. The `+` keeps SQLite from using another. */
const ofTraining = (
  id: EnrollmentId,
  { status, aircraft_id, workshop_remarks, person_id, ...filter }: FlightListFilter,
  actor: MemberActor,
): SQL | undefined =>
  and(
    eq(flights.enrollment_id, id),
    status && sql`+${flights.status} = ${status}`,
    aircraft_id && sql`+${flights.aircraft_id} = ${aircraft_id}`,
    workshop_remarks ? hasWorkshopRemarks : undefined,
    person_id && isWith(flights.id, person_id),
    matching(filter),
    seesAll(actor) ? undefined : isOwnOf(actor),
  );

/** With `+`, because the few flights with remarks are in an index of their own. */
const forWorkshop = ({ status, aircraft_id, ...filter }: FlightListFilter): SQL | undefined =>
  and(
    hasWorkshopRemarks,
    status && sql`+${flights.status} = ${status}`,
    aircraft_id && sql`+${flights.aircraft_id} = ${aircraft_id}`,
    matching(filter),
  );

/** Like `listFlights`, for the public API: without drafts; with `updated_since` in the order of changes. */
export const listPublicFlights = pageBy(publicFlight, {
  from: flights,
  // With `+`, SQLite keeps to the index of changes, which has the status.
  where: ({ status, ...filter }: Marked<FlightFilter>, isOfChanges) =>
    and(isPublic, status && sql`${sql.raw(isOfChanges ? "+" : "")}${flights.status} = ${status}`, matching(filter)),
  orderBy: newestFirst,
});

/** Returns whether the actor is in the crew of the flight. */
export const flewOn = async (reader: TenantReader, id: FlightId, { userId, email }: MemberActor): Promise<boolean> =>
  (await reader.first(flown, { id, userId, email })) !== undefined;

const flown = sql`select 1 from ${flights} where ${isIt} and ${isFlown}`;

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
  const [rows, identities] = await Promise.all([reader.rows(flyers, { id }), identitiesOfFlyers(reader, { id })]);
  const named = rows.map(([person_id, user_id, email]) => ({ person_id, user_id, email }));
  const onBoard = new Set(rows.flatMap(([person_id, , , on_board]) => (on_board === 1 ? [person_id] : [])));
  return [...named, ...identities].map(({ person_id, user_id, email }) => ({
    person_id,
    user_id,
    email,
    on_board: onBoard.has(person_id),
  }));
}

const flyers = sql<[PersonId, UserId | null, string | null, 0 | 1]>`
  select ${flightFlyers.person_id}, ${flightFlyers.user_id}, ${flightFlyers.email},
    exists (select 1 from ${flightCrew} where ${flightCrew.flight_id} = ${flightFlyers.flight_id}
      and ${flightCrew.person_id} = ${flightFlyers.person_id})
  from ${flightFlyers} where ${flightFlyers.flight_id} = ${value("id")}`;

const identitiesOfFlyers = identitiesIn(
  sql`(select ${flightFlyers.person_id} as value from ${flightFlyers} where ${flightFlyers.flight_id} = ${value("id")})`,
);

/** The crew of a flight with the account and the e-mail address of each now: `flight_flyers` is filled from it. */
export const crewAccounts = sql`
  select ${flightCrew.flight_id}, ${people.id}, ${people.user_id}, ${people.email}
  from ${flightCrew} join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${flightCrew.flight_id} = ${value("id")}`;
