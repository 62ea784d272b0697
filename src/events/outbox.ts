/**
 * The deliveries that are to be made: who takes which, until when, and when the next are due. A claim is a lease with a
 * token; whoever lost it, to the clock or by dying, can record nothing any more, and the delivery is made again.
 */
import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { type Instant, shift } from "../core/clock.ts";
import type { DeliveryId, EndpointId, EventId } from "../core/ids.ts";
import type { Reader, Tx } from "../storage/store.ts";
import { deliveries, events, isDelivering, isPending, webhookEndpoints } from "./events.tables.ts";

/** A delivery somebody has taken on, with all that it takes to make an attempt. */
export interface Claimed extends Lease {
  endpointId: EndpointId;
  /** The attempt to be made, from 1. */
  attempt: number;
  leaseUntil: Instant;
  event: { type: string; id: EventId; occurredAt: Instant; data: string };
  endpoint: Endpoint;
}

/** What proves that a delivery is still one's own. */
export interface Lease {
  id: DeliveryId;
  leaseToken: string;
}

type Endpoint = Pick<
  typeof webhookEndpoints.$inferSelect,
  "id" | "url" | "primary_secret" | "secondary_secret" | "secondary_until" | "headers"
>;

/** How much may be claimed. Asked inside the transaction. */
export interface Room {
  /** How many more deliveries of an endpoint may be taken now. */
  of(endpoint: EndpointId): number;
  /** Sets room aside for so many. @returns for how many there still was any */
  take(endpoint: EndpointId, count: number): number;
}

export interface ClaimOptions {
  room: Room;
  /** In milliseconds; longer than an attempt can take. */
  lease: number;
  /** Marks what is claimed: the boot's id, a dot, and something that no other claim has. */
  token: string;
  /** Takes over what other boots have under way: of one process that works alone on this database. */
  takeOver: boolean;
}

export interface Claim {
  claimed: Claimed[];
  /** Whether deliveries that are due may have been left, for want of room. */
  left: boolean;
  /** When the next one becomes due, later than now. */
  next: Instant | null;
}

/** Claims what is due, endpoint by endpoint, oldest first. What is due to a disabled or deleted endpoint is cancelled. */
export async function claim(tx: Tx<"tenant">, options: ClaimOptions): Promise<Claim> {
  const { room, lease, token } = options;
  await endLostLeases(tx, options);
  const claimed: Claimed[] = [];
  const leaseUntil = shift(tx.now, lease);
  let left = false;
  for (const { active, ...endpoint } of await endpointsWithWork(tx)) {
    if (!active) {
      await cancelDeliveries(tx, endpoint.id);
      continue;
    }
    const limit = room.of(endpoint.id);
    const due = limit > 0 ? await dueTo(tx, endpoint.id, limit) : [];
    const taken = room.take(endpoint.id, due.length);
    if (due.length >= limit || taken < due.length) left = true;
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
  return { claimed, left, next: await firstDue(tx, sql`${isPending} and ${deliveries.due_at} > ${tx.now}`) };
}

/** What a dead process had under way, or one that took too long, is due again: the attempt was never recorded. */
async function endLostLeases(tx: Tx<"tenant">, { takeOver, token }: ClaimOptions): Promise<void> {
  const boot = token.slice(0, token.indexOf(".") + 1);
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    where ${isDelivering} and ${deliveries.lease_until} <= ${tx.now}`);
  if (!takeOver) return;
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    where ${isDelivering} and substr(${deliveries.lease_token}, 1, ${boot.length}) <> ${boot}`);
}

const endpointsWithWork = (tx: Tx<"tenant">) =>
  tx
    .select({
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      primary_secret: webhookEndpoints.primary_secret,
      secondary_secret: webhookEndpoints.secondary_secret,
      secondary_until: webhookEndpoints.secondary_until,
      headers: webhookEndpoints.headers,
      active: sql<boolean>`${webhookEndpoints.enabled} and ${webhookEndpoints.deleted_at} is null`.mapWith(Boolean),
    })
    .from(webhookEndpoints)
    .where(sql`exists (
      select 1 from ${deliveries}
      where ${deliveries.endpoint_id} = ${webhookEndpoints.id} and ${isPending} and ${deliveries.due_at} <= ${tx.now})`);

export const dueTo = (reader: Reader<"tenant"> & { now: Instant }, endpointId: EndpointId, limit: number) =>
  reader
    .select({
      id: deliveries.id,
      attempts: deliveries.attempts,
      event: { type: events.type, id: events.id, occurredAt: events.occurred_at, data: events.data },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.event_id))
    .where(sql`${deliveries.endpoint_id} = ${endpointId} and ${isPending} and ${deliveries.due_at} <= ${reader.now}`)
    .orderBy(deliveries.due_at, deliveries.id)
    .limit(limit);

/** Gives deliveries back that no attempt was made of. */
export async function release(tx: Tx<"tenant">, leases: readonly Lease[]): Promise<void> {
  const rows = JSON.stringify(leases.map(({ id, leaseToken }) => ({ id, leaseToken })));
  await tx.run(sql`
    update ${deliveries} set status = 'pending', lease_token = null, lease_until = null
    from (select value ->> 'id' as id, value ->> 'leaseToken' as token from json_each(${rows})) as lease
    where ${deliveries.id} = lease.id and ${isDelivering} and ${deliveries.lease_token} = lease.token`);
}

/** Ends an endpoint's deliveries that were not begun: to be called by whatever disables or deletes it. */
export async function cancelDeliveries(tx: Tx<"tenant">, endpointId: EndpointId): Promise<void> {
  tx.due(endpointId); // those that were claimed are given back, and cancelled with the next claim
  await tx
    .update(deliveries)
    .set({ status: "cancelled", due_at: null, finished_at: tx.now })
    .where(sql`${deliveries.endpoint_id} = ${endpointId} and ${isPending}`);
}

/** Ends what is pending at those of the endpoints that are disabled or deleted. */
export async function cancelIfInactive(tx: Tx<"tenant">, endpointIds: readonly EndpointId[]): Promise<void> {
  const inactive = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        inArray(webhookEndpoints.id, [...endpointIds]),
        or(eq(webhookEndpoints.enabled, false), isNotNull(webhookEndpoints.deleted_at)),
      ),
    );
  for (const { id } of inactive) await cancelDeliveries(tx, id);
}

/**
 * When somebody has to look after this tenant's deliveries: storage's `nextWake`. One that is under way counts as due,
 * since whoever asks after a crash has to take it over.
 */
export async function nextDue(reader: Reader<"tenant">): Promise<Instant | null> {
  const { pending, delivering } = await outlook(reader);
  const [first] = [pending, delivering?.dueAt].filter((at) => at != null).sort();
  return first ?? null;
}

/** What is to be done, without taking any of it on. */
export interface Outlook {
  /** When the first pending delivery is due. */
  pending: Instant | null;
  /** Of those under way: the first lease to end, and when the first was due. */
  delivering: { leaseUntil: Instant; dueAt: Instant } | null;
}

export async function outlook(reader: Reader<"tenant">): Promise<Outlook> {
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
