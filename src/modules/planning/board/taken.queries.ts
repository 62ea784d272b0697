/** The rows of a board and what takes them up, each by one statement for all of them. */
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import type { Id } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft, groundings, isOpenGrounding } from "../../fleet/fleet.tables.ts";
import { isOneOf, people } from "../../people/people.tables.ts";
import {
  isBlocking,
  type PlanningSessionId,
  planningRooms,
  planningSessions as sessions,
  planningResources as table,
} from "../planning.tables.ts";
import type { Interval } from "../rules/booking.ts";
import { openOrderOf } from "../rules/work-orders.queries.ts";
import { session } from "../sessions/sessions.shapes.ts";

type TenantReader = Reader<"tenant">;
const value = sql.placeholder;

export interface Row {
  type: "aircraft" | "instructor" | "room";
  id: Id<string>;
  /** Since when it has been grounded. */
  grounded_since: Instant | null;
  out_of_service: boolean;
}

type StoredRow = [Row["type"], Id<string>, Instant | null, number];

const rows = sql<StoredRow>`
  select 'aircraft', ${aircraft.id},
    (select min(${groundings.since}) from ${groundings} where ${groundings.aircraft_id} = ${aircraft.id} and ${isOpenGrounding}),
    exists (${openOrderOf(aircraft.id)})
  from ${aircraft} where ${aircraft.status} <> 'archived'
  union all select 'instructor', ${people.id}, null, 0 from ${people}
  where +${people.status} = 'active' and ${isOneOf(people.types, ["instructor"])}
  union all select 'room', ${planningRooms.id}, null, 0 from ${planningRooms} where ${planningRooms.status} <> 'archived'`;

/** Returns what can be booked (`../resources`), with why an aircraft can't be used. */
export async function rowsOf(reader: TenantReader): Promise<Row[]> {
  const found = await reader.rows(rows, {});
  return found.map(([type, id, grounded_since, order]) => ({ type, id, grounded_since, out_of_service: order === 1 }));
}

/** When a session takes up a resource. */
export interface TakenUp extends Interval {
  resource_id: Id<string>;
  session_id: PlanningSessionId;
}

const isOfIt = sql`${table.resource_id} = wanted.value and ${isBlocking}`;

/** Of those of a resource that begin before the interval, only the last can reach into it. */
const taken = sql<[Id<string>, PlanningSessionId, Instant, Instant]>`
  select ${table.resource_id}, ${table.session_id}, ${table.start_at}, ${table.end_at}
  from json_each(${value("ids")}) as wanted cross join ${table} on ${isOfIt}
    and ${table.start_at} < ${value("to")} and ${table.end_at} > ${value("from")}
    and ${table.start_at} >= ifnull((
      select max(${table.start_at}) from ${table} where ${isOfIt} and ${table.start_at} <= ${value("from")}), '')`;

/** Returns what takes up the resources in the interval. */
export async function takenUp(
  reader: TenantReader,
  ids: readonly string[],
  { start_at: from, end_at: to }: Interval,
): Promise<TakenUp[]> {
  const found = await reader.rows(taken, { ids: JSON.stringify(ids), from, to });
  return found.map(([resource_id, session_id, start_at, end_at]) => ({ resource_id, session_id, start_at, end_at }));
}

const begun = sql<[PlanningSessionId, Instant]>`select ${sessions.id}, ${sessions.start_at} from ${sessions}
  where ${sessions.start_at} >= ${value("from")} and ${sessions.start_at} < ${value("to")}
    and ${sessions.status} not in ('cancelled', 'no_show')`;

type Beginning = Pick<TakenUp, "session_id" | "start_at">;

/** Returns the sessions that begin in the interval, also those that take up no row. */
export const beginningIn = async (
  reader: TenantReader,
  { start_at: from, end_at: to }: Interval,
): Promise<Beginning[]> =>
  (await reader.rows(begun, { from, to })).map(([session_id, start_at]) => ({ session_id, start_at }));

const inFull = sql<[string]>`select ${session.json} from ${sessions}
  where ${sessions.id} in (select value from json_each(${value("ids")})) order by ${sessions.start_at}, ${sessions.id}`;

/** So many are read at once: other requests run in between. */
const piece = 200;

/** Returns JSON text of sessions, each once, the earliest start first. */
export async function sessionsJson(reader: TenantReader, wanted: readonly Beginning[]): Promise<string> {
  const starts = new Map(wanted.map(({ session_id, start_at }) => [session_id, `${start_at} ${session_id}`]));
  const ids = [...starts].sort(([, one], [, other]) => (one < other ? -1 : 1)).map(([id]) => id);
  const texts: string[] = [];
  for (let from = 0; from < ids.length; from += piece) {
    if (from > 0) await yieldToEventLoop();
    const found = await reader.rows(inFull, { ids: JSON.stringify(ids.slice(from, from + piece)) });
    texts.push(...found.map(([text]) => text));
  }
  return `[${texts.join(",")}]`;
}
