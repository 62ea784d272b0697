/** Writes events and their deliveries in the transaction of the change that they report: all is committed, or nothing. */
import { and, eq, is, isNull, SQL, sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import { conflict, notFound } from "../core/errors.ts";
import { type DeliveryId, type EndpointId, type EventId, newId } from "../core/ids.ts";
import { lookUp } from "../storage/lookup.ts";
import type { Tx } from "../storage/store.ts";
import type { EventDefinition, EventType } from "./catalog.ts";
import { deliveries, events, webhookEndpoints } from "./events.tables.ts";

type TenantTx = Tx<"tenant">;

/**
 * Writes an event and queues one delivery for each enabled endpoint that subscribes to its type. The deliveries are sent
 * right after the commit.
 *
 * @param data the event's `data`, or an SQL expression that returns its JSON text
 */
export async function emit<Type extends EventType, Data>(
  tx: TenantTx,
  event: EventDefinition<Type, Data>,
  data: NoInfer<Data> | SQL<NoInfer<Data>>,
): Promise<EventId> {
  const id = await insertEvent(tx, event.type, data);
  await queueDeliveries(tx, { eventId: id, where: subscribedTo(sql`${event.type}`) });
  return id;
}

/**
 * Writes an event and queues one delivery to one endpoint, subscribed or not.
 *
 * @throws NOT_FOUND no such endpoint; CONFLICT it is disabled
 */
export async function emitTo<Type extends EventType, Data>(
  tx: TenantTx,
  endpointId: EndpointId,
  event: EventDefinition<Type, Data>,
  data: NoInfer<Data> | SQL<NoInfer<Data>>,
): Promise<{ eventId: EventId; deliveryId: DeliveryId }> {
  await requireEnabled(tx, endpointId);
  const eventId = await insertEvent(tx, event.type, data);
  const [deliveryId] = await queueDeliveries(tx, { eventId, where: sql`${webhookEndpoints.id} = ${endpointId}` });
  if (deliveryId === undefined) throw new Error(`No delivery was queued for the enabled endpoint ${endpointId}.`);
  return { eventId, deliveryId };
}

/** Queues new deliveries of an event for all endpoints that are enabled and subscribed now, or for one of them. */
export function replay(
  tx: TenantTx,
  { id, type }: { id: EventId; type: string },
  endpointId?: EndpointId,
): Promise<DeliveryId[]> {
  const subscribed = subscribedTo(sql`${type}`);
  const where = endpointId === undefined ? subscribed : sql`${webhookEndpoints.id} = ${endpointId} and ${subscribed}`;
  return queueDeliveries(tx, { eventId: id, where });
}

/** @throws NOT_FOUND no such endpoint; CONFLICT it is disabled */
async function requireEnabled(tx: TenantTx, endpointId: EndpointId): Promise<void> {
  const [endpoint] = await tx
    .select({ enabled: webhookEndpoints.enabled })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.deleted_at)));
  if (endpoint === undefined) throw notFound();
  if (!endpoint.enabled) throw conflict("endpoint_disabled", "The endpoint is disabled. Enable it first.");
}

async function insertEvent(tx: TenantTx, type: EventType, data: unknown): Promise<EventId> {
  const id = await nextEventId(tx);
  const text = is(data, SQL) ? data : JSON.stringify(data);
  await tx.run(sql`
    insert into ${events} (id, type, occurred_at, data) values (${id}, ${type}, ${tx.now}, ${text})`);
  return id;
}

const newestEvent = lookUp({ id: events.id }, sql`from ${events} order by ${events.id} desc limit 1`);

/**
 * Returns an id greater than those of all events: a program that reads events forward misses none, even of the same
 * millisecond or after the clock was set back.
 */
async function nextEventId(tx: TenantTx): Promise<EventId> {
  const id: EventId = `evt_${newId(clockOf(tx)).replaceAll("-", "")}`;
  const newest = (await newestEvent(tx, {}))?.id ?? "";
  if (newest < id) return id;
  const following = BigInt(`0x${newest.slice("evt_".length)}`) + 1n;
  return `evt_${following.toString(16).padStart(32, "0")}`;
}

/**
 * Returns a lower bound for the ids of events from an instant on; the ids of earlier events are below it. An id begins with
 * the milliseconds at which its event occurred, so a range of time is a range of the primary key. An instant before 1970
 * is below all ids.
 */
export const firstEventIdAt = (at: Instant): EventId =>
  `evt_${Math.max(0, Date.parse(at)).toString(16).padStart(12, "0")}`;

interface QueueOptions {
  /** The event, or the column of `from` that has the ids of several. */
  eventId: EventId | SQL;
  from?: SQL;
  /** Selects the endpoints. */
  where: SQL;
}

/** Queues one delivery of each event, due now, for each enabled endpoint that `where` selects. Runs one statement. */
export async function queueDeliveries(tx: TenantTx, { eventId, from, where }: QueueOptions): Promise<DeliveryId[]> {
  const rows = await tx.values<[DeliveryId]>(sql`
    insert into ${deliveries} (id, event_id, endpoint_id, status, attempts, due_at, created_at)
    select ${uuidv7(tx)}, ${eventId}, ${webhookEndpoints.id}, 'pending', 0, ${tx.now}, ${tx.now}
    from ${from === undefined ? webhookEndpoints : sql`${from} cross join ${webhookEndpoints}`}
    where ${webhookEndpoints.enabled} and ${webhookEndpoints.deleted_at} is null and ${where}
    returning id`);
  if (rows.length > 0) tx.due();
  return rows.map((row) => row[0]); // libSQL's rows have indexes, but are not arrays
}

export const subscribedTo = (type: SQL): SQL =>
  sql`exists (select 1 from json_each(${webhookEndpoints.event_types}) where value = ${type})`;

/** An SQL expression for a new UUIDv7 in each row, in the format of `newId` (RFC 9562, 5.7). */
function uuidv7(tx: TenantTx): SQL {
  const time = new Date(tx.now).getTime().toString(16).padStart(12, "0");
  return sql`lower(printf('%s-%s-7%s-%s%s-%s', ${time.slice(0, 8)}, ${time.slice(8)},
    substr(hex(randomblob(2)), 2), substr('89ab', 1 + (random() & 3), 1), substr(hex(randomblob(2)), 2),
    hex(randomblob(6))))`;
}

const clockOf = ({ now }: TenantTx) => ({ now: () => new Date(now) });
