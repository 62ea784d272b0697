import { and, eq, type SQL, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { changeTime } from "../../../storage/changes.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, listOf, type Marked, type PageRequest, pageBy } from "../../../storage/page.ts";
import { field } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { people } from "../../people/people.tables.ts";
import { type PlanningSessionId, planningResources, planningSessions as table } from "../planning.tables.ts";
import { takenIn } from "../rules/overlaps.ts";
import type { SessionFilter } from "./sessions.schemas.ts";
import { publicSession, type Session, session } from "./sessions.shapes.ts";

type TenantReader = Reader<"tenant">;
export type SessionRow = typeof table.$inferSelect;

const path = { sessionId: table.id };

/** Its reads do not check the actor. */
export const sessionEntity = entityOf("planning_session", {
  table,
  shape: session,
  path,
  changeTime: changeTime(table),
});

export const { find: findPublicSession } = entityOf("planning_session", { table, shape: publicSession, path });

const matching = (filter: Marked<SessionFilter>): SQL | undefined => {
  const { from, to, kind, status, aircraft_id, instructor_id, room_id, series_id } = filter;
  return and(
    kind && sql`${table.kind} = ${kind}`,
    status && sql`${table.status} = ${status}`,
    aircraft_id && sql`${table.aircraft_id} = ${aircraft_id}`,
    instructor_id && sql`${table.instructor_id} = ${instructor_id}`,
    room_id && sql`${table.room_id} = ${room_id}`,
    series_id && sql`${table.series_id} = ${series_id}`,
    from && sql`${table.start_at} >= ${from}`,
    to && sql`${table.start_at} < ${to}`,
  );
};

/** Returns JSON text, the earliest start first. */
export const listPublicSessions = listOf(publicSession, {
  from: table,
  period: table.start_at,
  orderBy: ascending(publicSession, "start_at", "id"),
});

type OrderBy = typeof ascending | typeof descending;

const allSessions = (orderBy: OrderBy) =>
  pageBy(session, {
    from: table,
    where: (filter: Marked<SessionFilter>) => matching(filter),
    orderBy: orderBy(session, "start_at", "id"),
  });
/** As `listSessions`, for those who may see all. */
export const listAllSessions = allSessions(ascending);
export const listLatestSessions = allSessions(descending);

/** In the order of the index of one resource. */
const takenUp = {
  ...session,
  fields: {
    ...session.fields,
    start_at: field(session.fields.start_at.schema, planningResources.start_at),
    id: field(session.fields.id.schema, planningResources.session_id),
  },
};

const sessionsOfResource = (orderBy: OrderBy) =>
  pageBy(takenUp, {
    from: sql`${planningResources} cross join ${table} on ${table.id} = ${planningResources.session_id}`,
    where: ({ person_id, from, to, ...filter }: Marked<SessionFilter>) =>
      and(
        sql`${planningResources.resource_id} = ${person_id}`,
        from && sql`${planningResources.start_at} >= ${from}`,
        to && sql`${planningResources.start_at} < ${to}`,
        matching(filter),
      ),
    orderBy: orderBy(takenUp, "start_at", "id"),
  });
/** Sessions that take up a resource, or took it up. */
export const listOfResource = sessionsOfResource(ascending);
export const listLatestOfResource = sessionsOfResource(descending);

/** Returns JSON text, the earliest start first. Without `planning:read`, the actor's own sessions. @throws FORBIDDEN */
export async function listSessions(reader: TenantReader, actor: MemberActor, query: SessionFilter & PageRequest) {
  if (permits(actor, "planning:read"))
    return query.person_id === undefined ? listAllSessions(reader, query) : listOfResource(reader, query);
  const own = await ownPerson(reader, actor);
  const asked = query.person_id ?? own;
  // A filter for another person matches nothing.
  return listOfResource(reader, { ...query, person_id: asked === own && own !== undefined ? own : ("" as PersonId) });
}

/** Returns the person who is linked to the account. */
export async function ownPerson(reader: TenantReader, { userId }: MemberActor): Promise<PersonId | undefined> {
  const row = await reader.first(linked, { userId });
  return row === undefined ? undefined : (String(row[0]) as PersonId);
}
const linked = sql`select ${people.id} from ${people} where ${people.user_id} = ${sql.placeholder("userId")}`;

/** @throws NOT_FOUND no such session, or the actor may not see it; FORBIDDEN */
export async function findSession(
  reader: TenantReader,
  sessionId: PlanningSessionId,
  actor: MemberActor,
): Promise<JsonOf<Session>> {
  await requireVisible(reader, sessionId, actor);
  return sessionEntity.find(reader, { sessionId });
}

/** @throws NOT_FOUND no such session, or the actor may not see it; FORBIDDEN */
export async function requireVisible(reader: TenantReader, id: PlanningSessionId, actor: MemberActor): Promise<void> {
  if (permits(actor, "planning:read")) return;
  authorize(actor, "planning:read_own");
  const own = await ownPerson(reader, actor);
  if (own === undefined || !(await takesPart(reader, id, own))) throw notFound();
}

export async function takesPart(reader: TenantReader, id: PlanningSessionId, personId: PersonId): Promise<boolean> {
  const isTheirs = and(eq(planningResources.session_id, id), eq(planningResources.resource_id, personId));
  return (await reader.$count(planningResources, isTheirs)) > 0;
}

/** Matches sessions in which the person takes part. */
export const hasPerson = (personId: PersonId): SQL =>
  sql`${table.id} in (select ${planningResources.session_id} from ${planningResources}
    where ${planningResources.resource_id} = ${personId})`;

/** Matches sessions in which nobody else does. */
export const hasOnly = (personId: PersonId): SQL =>
  sql`${hasPerson(personId)} and not exists (select 1 from ${planningResources}
    where ${planningResources.session_id} = ${table.id} and ${planningResources.resource_id} <> ${personId}
      and ${planningResources.type} in ('instructor', 'student'))`;

/** Returns whether the person takes part in a session that is not over. */
export const hasOpenSessions = async (reader: TenantReader, personId: PersonId): Promise<boolean> =>
  (await reader.first(open, { personId })) !== undefined;
const open = sql`select 1 from ${planningResources} join ${table} on ${table.id} = ${planningResources.session_id}
  where ${planningResources.resource_id} = ${sql.placeholder("personId")}
    and ${table.status} in ('requested', 'planned', 'checked_in') limit 1`;

export const studentsOf = async (reader: TenantReader, id: PlanningSessionId): Promise<PersonId[]> => {
  const rows = await reader.rows(students, { id });
  return rows.map(([student]) => student);
};
const students = sql<[PersonId]>`select ${planningResources.resource_id} from ${planningResources}
  where ${planningResources.session_id} = ${sql.placeholder("id")} and ${planningResources.type} = 'student'
  order by ${planningResources.position}`;

/** Returns when an aircraft, an instructor or a room is taken, without by whom; an instructor also as a student or a pilot. */
export async function busyTimes(
  reader: TenantReader,
  { resource_id, from, to }: { resource_id: string; from: Instant; to: Instant },
) {
  const taken = await takenIn(reader, resource_id, { start_at: from, end_at: to });
  const teaches = (await findPersonRow(reader, resource_id as PersonId))?.types.includes("instructor");
  return taken
    .filter(({ type }) => type !== "student" || teaches)
    .map(({ type, start_at, end_at }) => ({ type: type === "student" ? "instructor" : type, start_at, end_at }));
}
