import { and, asc, eq, gt, gte, lt, lte, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { type Instant, shift } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { Id, PersonId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf, type PageRequest } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { planningWishes as table } from "../planning.tables.ts";
import type { Interval } from "../rules/booking.ts";
import { longestSession } from "../rules/duty.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import { type WishFilter, wish } from "./wishes.schemas.ts";

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

/** Some wishes that wait whose time window reaches into the interval, who waits longest first. */
export const waitingFor = (reader: TenantReader, { start_at, end_at }: Interval, after: string): Promise<WishRow[]> =>
  reader
    .select()
    .from(table)
    .where(
      and(
        eq(table.status, "waiting"),
        lt(table.from_at, end_at),
        gte(table.from_at, shift(start_at, -longestSession)),
        gt(table.until_at, start_at),
        gt(table.id, after as Id<"wish">),
      ),
    )
    .orderBy(asc(sql`+${table.id}`))
    .limit(100);

/** Returns the type of an aircraft. */
export async function typeOf(reader: TenantReader, id: string): Promise<string | null> {
  const [row] = await reader.select({ type: aircraft.icao_type }).from(aircraft).where(sql`${aircraft.id} = ${id}`);
  return row?.type ?? null;
}

/** Returns some offers that nobody took in time. */
export const lapsedOffers = (reader: TenantReader, now: Instant): Promise<WishRow[]> =>
  reader
    .select()
    .from(table)
    .where(and(sql`${table.status} = 'offered'`, lte(table.offered_until, now)))
    .orderBy(asc(table.offered_until))
    .limit(20);

/** Returns when the next offer ends. */
export async function nextLapse(reader: TenantReader): Promise<Instant | null> {
  const [row] = await reader
    .select({ at: table.offered_until })
    .from(table)
    .where(sql`${table.status} = 'offered'`)
    .orderBy(asc(table.offered_until))
    .limit(1);
  return row?.at ?? null;
}
