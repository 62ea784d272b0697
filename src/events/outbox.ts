/**
 * Claims deliveries that are due. A claim is a lease with a token. A process that lost its lease, by timeout or crash, can
 * no longer record a result, and the delivery is sent again.
 */
import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import { type Instant, latestPlanned, shift, toInstant } from "../core/clock.ts";
import type { DeliveryId, EndpointId, EventId } from "../core/ids.ts";
import type { Reader, Tenant, Tx } from "../storage/store.ts";
import { suspendedSince } from "../storage/suspended.ts";
import { deliveries, events, isDelivering, isPending, webhookEndpoints } from "./events.tables.ts";
import { longestRetryDelay } from "./retry-delays.ts";

/** A claimed delivery, with all that an attempt needs. */
export interface Claimed extends Lease {
  endpointId: EndpointId;
  /** Number of the next attempt, from 1. */
  attempt: number;
  leaseUntil: Instant;
  event: { type: string; id: EventId; occurredAt: Instant; data: string; traceparent: string | null };
  endpoint: Endpoint;
}

/** Proves the ownership of a claimed delivery. */
export interface Lease {
  id: DeliveryId;
  leaseToken: string;
}

export type Endpoint = Pick<
  typeof webhookEndpoints.$inferSelect,
  "id" | "url" | "primary_secret" | "secondary_secret" | "secondary_until" | "headers"
>;

/** How many deliveries a claim may take. Called inside the transaction. */
export interface Room {
  /** Returns how many more of an endpoint's deliveries may be claimed now. */
  of(endpoint: EndpointId): number;
  /** Reserves room for up to `count` deliveries. @returns how many of them */
  take(endpoint: EndpointId, count: number): number;
}

export interface ClaimOptions {
  room: Room;
  /** In milliseconds. Must be longer than an attempt can take. */
  lease: number;
  /** The boot's id, a dot, and a text that is unique to this claim. */
  token: string;
  /** Whether to take over the claims of other boots. Only for the one process that uses this database. */
  takeOver: boolean;
}

export interface Claim {
  claimed: Claimed[];
  /** Whether due deliveries may be left, for lack of room. */
  hasMore: boolean;
  /** When the next delivery becomes due, later than now. */
  nextDueAt: Instant | null;
}

/**
 * Claims due deliveries by endpoint, oldest first. Cancels those to disabled or deleted endpoints. While the organization is
 * suspended, all wait.
 */
export async function claim(tx: Tx<"tenant">, options: ClaimOptions): Promise<Claim> {
  const { room, lease, token } = options;
  if ((await suspendedSince(tx)) !== null) return { claimed: [], hasMore: false, nextDueAt: null };
  await expireLeases(tx, options);
  await bringForward(tx);
  const claimed: Claimed[] = [];
  const leaseUntil = shift(tx.now, lease);
  let hasMore = false;
  for (const { active, ...endpoint } of await endpointsWithWork(tx)) {
    if (!active) {
      if (await cancelDeliveries(tx, endpoint.id)) hasMore = true;
      continue;
    }
    const limit = room.of(endpoint.id);
    const due = limit > 0 ? await dueDeliveries(tx, endpoint.id, limit) : [];
    const taken = room.take(endpoint.id, due.length);
    if (due.length >= limit || taken < due.length) hasMore = true;
    for (const { id, attempts, event } of due.slice(0, taken)) {
      claimed.push({
        id,
        endpointId: endpoint.id,
        attempt: attempts + 1,
        leaseToken: token,
        leaseUntil,
        event,
        endpoint,
      });
    }
  }
  if (claimed.length > 0) {
    const ids = JSON.stringify(claimed.map(({ id }) => id));
    await tx.run(sql`
      update ${deliveries} set status = 'delivering', lease_token = ${token}, lease_until = ${leaseUntil}
      where id in (select value from json_each(${ids}))`);
  }
  const nextDueAt = await firstDue(tx, sql`${isPending} and ${deliveries.due_at} > ${tx.now}`);
  return { claimed, hasMore, nextDueAt };
}

/** Makes deliveries pending again whose lease ended or belongs to a dead process: no attempt was recorded. */
async function expireLeases(tx: Tx<"tenant">, { takeOver, token, lease }: ClaimOptions): Promise<void> {
  const boot = token.slice(0, token.indexOf(".") + 1);
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    where ${isDelivering} and (
      ${deliveries.lease_until} <= ${tx.now} or ${deliveries.lease_until} > ${latestPlanned(tx.now, lease)})`);
  if (!takeOver) return;
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    where ${isDelivering} and substr(${deliveries.lease_token}, 1, ${boot.length}) <> ${boot}`);
}

/** Makes retries due that were planned while the clock was ahead. */
async function bringForward(tx: Tx<"tenant">): Promise<void> {
  await tx.run(sql`
    update ${deliveries} set due_at = ${tx.now}
    where ${isPending} and ${deliveries.due_at} > ${latestPlanned(tx.now, longestRetryDelay)}`);
}

/**
 * Returns the endpoint of a claimed delivery as it is now, for the databases that another process may write to: it tells this one
 * nothing of its changes. Undefined if nothing may be sent to it.
 */
export async function presentEndpoint(reader: Reader<"tenant">, id: EndpointId): Promise<Endpoint | undefined> {
  const [suspended, [row]] = await Promise.all([
    suspendedSince(reader),
    reader.select(endpointColumns).from(webhookEndpoints).where(eq(webhookEndpoints.id, id)),
  ]);
  if (suspended !== null || row === undefined) return undefined;
  const { active, ...endpoint } = row;
  return active ? endpoint : undefined;
}

const endpointColumns = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  primary_secret: webhookEndpoints.primary_secret,
  secondary_secret: webhookEndpoints.secondary_secret,
  secondary_until: webhookEndpoints.secondary_until,
  headers: webhookEndpoints.headers,
  active: sql<boolean>`${webhookEndpoints.enabled} and ${webhookEndpoints.deleted_at} is null`.mapWith(Boolean),
};

const endpointsWithWork = (tx: Tx<"tenant">) =>
  tx
    .select(endpointColumns)
    .from(webhookEndpoints)
    .where(sql`exists (
      select 1 from ${deliveries}
      where ${deliveries.endpoint_id} = ${webhookEndpoints.id} and ${isPending} and ${deliveries.due_at} <= ${tx.now})`);

export const dueDeliveries = (reader: Reader<"tenant"> & { now: Instant }, endpointId: EndpointId, limit: number) =>
  reader
    .select({
      id: deliveries.id,
      attempts: deliveries.attempts,
      event: {
        type: events.type,
        id: events.id,
        occurredAt: events.occurred_at,
        data: events.data,
        traceparent: events.traceparent,
      },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.event_id))
    .where(sql`${deliveries.endpoint_id} = ${endpointId} and ${isPending} and ${deliveries.due_at} <= ${reader.now}`)
    .orderBy(deliveries.due_at, deliveries.id)
    .limit(limit);

/** Releases claimed deliveries for which no attempt was made. */
export async function release(tx: Tx<"tenant">, leases: readonly Lease[]): Promise<void> {
  const rows = JSON.stringify(leases.map(({ id, leaseToken }) => ({ id, leaseToken })));
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    from (select value ->> 'id' as id, value ->> 'leaseToken' as token from json_each(${rows})) as lease
    where ${deliveries.id} = lease.id and ${isDelivering} and ${deliveries.lease_token} = lease.token`);
}

/**
 * Lets the deliveries rest or go on, when the organization is suspended or resumed: those that are claimed and not sent yet are
 * released, and the dispatcher looks anew.
 */
export async function checkAllDeliveries(tx: Tx<"tenant">): Promise<void> {
  const claimed = await tx.selectDistinct({ id: deliveries.endpoint_id }).from(deliveries).where(isDelivering);
  for (const { id } of claimed) tx.due(id);
  tx.due();
}

/** Deliveries that are cancelled in one transaction, few enough that other writes do not wait long. */
const mostCancelled = 1000;

/**
 * Cancels pending deliveries of an endpoint. Code that disables or deletes an endpoint must call it, and `cancelRest` after
 * the commit.
 *
 * @returns whether some may be left. The dispatcher cancels them when they are due.
 */
export async function cancelDeliveries(tx: Tx<"tenant">, endpointId: EndpointId): Promise<boolean> {
  tx.due(endpointId); // releases the claimed ones; the next claim cancels them
  const [cancelled] = await tx.countEach(cancelSome, [{ endpoint: endpointId, now: tx.now }]);
  return cancelled === mostCancelled;
}

const cancelSome = sql`
  update ${deliveries} set status = 'cancelled', due_at = null, finished_at = ${sql.placeholder("now")}
  where rowid in (
    select rowid from ${deliveries} where ${deliveries.endpoint_id} = ${sql.placeholder("endpoint")} and ${isPending}
    limit ${sql.raw(String(mostCancelled))})`;

/** Cancels the pending deliveries that `cancelDeliveries` left, unless the endpoint is enabled again. */
export async function cancelRest(tenant: Pick<Tenant, "write">, endpointId: EndpointId): Promise<void> {
  while (await tenant.write((tx) => cancelIfInactive(tx, [endpointId]))) await yieldToEventLoop();
}

/** Cancels pending deliveries of those endpoints that are disabled or deleted. @returns whether some may be left */
export async function cancelIfInactive(tx: Tx<"tenant">, endpointIds: readonly EndpointId[]): Promise<boolean> {
  const inactive = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        inArray(webhookEndpoints.id, [...endpointIds]),
        or(eq(webhookEndpoints.enabled, false), isNotNull(webhookEndpoints.deleted_at)),
      ),
    );
  let isLeft = false;
  for (const { id } of inactive) if (await cancelDeliveries(tx, id)) isLeft = true;
  return isLeft;
}

/**
 * Returns when the dispatcher must check this tenant next: storage's `nextWake`. A delivery in flight counts as due, since
 * after a crash it must be taken over.
 *
 * @param at what is planned too far ahead is due then
 */
export async function nextDue(reader: Reader<"tenant">, at?: { now: Date }): Promise<Instant | null> {
  const { pending, delivering } = await dueTimes(reader);
  const [first] = [pending, delivering?.dueAt].filter((at) => at != null).sort();
  if (first === undefined) return null;
  return at !== undefined && first > latestPlanned(at.now, longestRetryDelay) ? toInstant(at.now) : first;
}

export interface DueTimes {
  /** When the first pending delivery is due. */
  pending: Instant | null;
  /** Of the deliveries in flight: the earliest end of a lease, and the earliest due time. */
  delivering: { leaseUntil: Instant; dueAt: Instant } | null;
}

export async function dueTimes(reader: Reader<"tenant">): Promise<DueTimes> {
  if ((await suspendedSince(reader)) !== null) return { pending: null, delivering: null };
  const [row] = await reader.values<[Instant | null, Instant | null]>(sql`
    select min(${deliveries.lease_until}), min(${deliveries.due_at}) from ${deliveries} where ${isDelivering}`);
  const leaseUntil = row?.[0] ?? null;
  const dueAt = row?.[1] ?? null;
  return {
    pending: await firstDue(reader, isPending),
    delivering: leaseUntil === null || dueAt === null ? null : { leaseUntil, dueAt },
  };
}

async function firstDue(reader: Reader<"tenant">, where: SQL): Promise<Instant | null> {
  const [row] = await reader.values<[Instant | null]>(
    sql`select ${deliveries.due_at} from ${deliveries} where ${where} order by ${deliveries.due_at} limit 1`,
  );
  return row?.[0] ?? null;
}
