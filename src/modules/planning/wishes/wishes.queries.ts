import { and, asc, eq, getTableColumns, inArray, lte, or, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { AircraftId, Id, PersonId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp, lookUpAll } from "../../../storage/lookup.ts";
import { ascending, listOf, type PageRequest } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { planningWishes as table } from "../planning.tables.ts";
import type { Interval } from "../rules/booking.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import { type WishFilter, wish } from "./wishes.schemas.ts";

export interface Freed extends Interval {
  aircraft_id: AircraftId | null;
  instructor_id: PersonId | null;
}

type TenantReader = Reader<"tenant">;
export type WishRow = typeof table.$inferSelect;

/** Its reads do not check the actor. */
export const wishEntity = entityOf("planning_wish", { table, shape: wish, path: { wishId: table.id } });

export const listAllWishes = listOf(wish, { from: table, orderBy: ascending(wish, "id") });

/** Returns JSON text, who waits longest first. Without `planning:read`, the actor's own. @throws FORBIDDEN */
export async function listWishes(reader: TenantReader, actor: MemberActor, query: WishFilter & PageRequest) {
  if (permits(actor, "planning:read")) return listAllWishes(reader, query);
  const own = await ownPerson(reader, actor);
  const isOther = query.person_id !== undefined && query.person_id !== own;
  return listAllWishes(reader, { ...query, person_id: isOther || own === undefined ? ("" as PersonId) : own });
}

/** Returns the wish. @throws NOT_FOUND no such wish, or it is not the actor's own; FORBIDDEN */
export async function requireWish(
  reader: TenantReader,
  wishId: Id<"wish">,
  actor: MemberActor,
  sees: "planning:read" | "planning:manage",
): Promise<WishRow> {
  authorize(actor, sees, sees === "planning:read" ? "planning:read_own" : "planning:book");
  const row = await wishEntity.row(reader, { wishId });
  if (!permits(actor, sees) && row.person_id !== (await ownPerson(reader, actor))) throw notFound();
  return row;
}

const value = sql.placeholder;
/** Few wait, so all are compared, the longest first. */
const waiting = lookUp(
  getTableColumns(table),
  sql`from ${table}
    where ${table.status} = 'waiting' and ${table.from_at} < ${value("end_at")}
      and strftime('%Y-%m-%dT%H:%M:%fZ', max(${table.from_at}, ${value("start_at")}), ${table.minutes} || ' minutes')
        <= min(${table.until_at}, ${value("end_at")})
      and (${table.icao_type} is null or ${table.icao_type} =
        (select ${aircraft.icao_type} from ${aircraft} where ${aircraft.id} = ${value("aircraft_id")}))
      and (${table.instructor_id} is null or ${table.instructor_id} = ${value("instructor_id")}
        or (${value("instructor_id")} is null and ${value("aircraft_id")} is not null))
      and ${table.id} > ${value("after")}
      and exists (select 1 from ${people} where ${people.id} = ${table.person_id} and ${people.status} = 'active')
    order by ${table.id} limit 1`,
);

/**
 * Returns the wish that waits longest of those that fit. Of an aircraft alone that is free, also one with an instructor, who may be
 * free then, too. @param after only of those who wait after this wish
 */
export const firstWaiting = (
  reader: TenantReader,
  { start_at, end_at, aircraft_id, instructor_id }: Freed,
  after: string,
): Promise<WishRow | undefined> => waiting(reader, { start_at, end_at, aircraft_id, instructor_id, after });

/** Returns the wishes to which something that is booked now was offered. */
export const offersOf = (
  reader: TenantReader,
  { start_at, end_at, aircraft_id, instructor_id }: Freed,
): Promise<WishRow[]> => offered(reader, { start_at, end_at, aircraft_id, instructor_id });

const offered = lookUpAll(
  getTableColumns(table),
  sql`from ${table}
    where ${table.status} = 'offered'
      and (${table.offered_aircraft_id} = ${value("aircraft_id")} or ${table.offered_instructor_id} = ${value("instructor_id")})
      and ${table.offered_start_at} < ${value("end_at")} and ${table.offered_end_at} > ${value("start_at")}
    order by ${table.id}`,
);

/** Returns the wishes of people who want this instructor, or were offered a time with them. */
export const wishesWith = (reader: TenantReader, instructor: PersonId): Promise<WishRow[]> =>
  reader
    .select()
    .from(table)
    .where(
      or(
        and(eq(table.instructor_id, instructor), inArray(table.status, ["waiting", "offered"])),
        and(sql`${table.status} = 'offered'`, eq(table.offered_instructor_id, instructor)),
      ),
    );

/** Returns some offers that nobody took in time. */
export const lapsedOffers = (reader: TenantReader, now: Instant): Promise<WishRow[]> =>
  reader
    .select()
    .from(table)
    .where(and(sql`${table.status} = 'offered'`, lte(table.offered_until, now)))
    .orderBy(asc(table.offered_until))
    .limit(20);

/** Returns some wishes that wait, and whose time is over. */
export const pastWishes = (reader: TenantReader, now: Instant): Promise<WishRow[]> =>
  reader
    .select()
    .from(table)
    .where(and(sql`${table.status} = 'waiting'`, lte(table.until_at, now)))
    .orderBy(asc(table.until_at))
    .limit(20);

/** Returns when the next offer or wish ends. */
export async function nextEnd(reader: TenantReader): Promise<Instant | null> {
  const row = await reader.first(firstEnd, {});
  return (row?.[0] as Instant | null | undefined) ?? null;
}
const firstEnd = sql`select min(ends_at) from (
  select min(${table.offered_until}) as ends_at from ${table} where ${table.status} = 'offered'
  union all select min(${table.until_at}) from ${table} where ${table.status} = 'waiting')`;
