/** Writes events and their deliveries in the transaction of the change that they report: all is committed, or nothing. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../core/clock.ts";
import { currentTrace } from "../core/current-trace.ts";
import { conflict, notFound } from "../core/errors.ts";
import { type DeliveryId, type EndpointId, type EventId, newId } from "../core/ids.ts";
import { traceparentOf } from "../core/trace.ts";
import type { Tx } from "../storage/store.ts";
import type { EventDefinition, EventType } from "./catalog.ts";
import { StoredData, storedData } from "./data-of.ts";
import { events, webhookEndpoints } from "./events.tables.ts";
import { queueToAllSubscribers, queueToEndpoint } from "./queue-deliveries.ts";

type TenantTx = Tx<"tenant">;

/**
 * Writes an event and queues one delivery for each enabled endpoint that subscribes to its type. The deliveries are sent
 * right after the commit.
 *
 * @param data the event's `data`, or how SQLite makes it of rows (`data-of.ts`)
 */
export async function emit<Type extends EventType, Data>(
  tx: TenantTx,
  event: EventDefinition<Type, Data>,
  data: NoInfer<Data> | StoredData<NoInfer<Data>>,
): Promise<EventId> {
  const { subscribed } = await outboxIn(tx);
  const id = await insertEvent(tx, event.type, data);
  if (subscribed.has(event.type)) await queueToAllSubscribers(tx, { id, type: event.type });
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
  data: NoInfer<Data> | StoredData<NoInfer<Data>>,
): Promise<{ eventId: EventId; deliveryId: DeliveryId }> {
  await requireEnabled(tx, endpointId);
  const eventId = await insertEvent(tx, event.type, data);
  const [deliveryId] = await queueToEndpoint(tx, eventId, endpointId);
  if (deliveryId === undefined) throw new Error(`No delivery was queued for the enabled endpoint ${endpointId}.`);
  return { eventId, deliveryId };
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

async function insertEvent<Data>(tx: TenantTx, type: EventType, data: Data | StoredData<Data>): Promise<EventId> {
  const id = await nextEventId(tx);
  const { insert, values } = data instanceof StoredData ? data : given({ data: JSON.stringify(data) });
  const trace = currentTrace();
  const traceparent = trace === undefined ? null : traceparentOf(trace);
  await tx.each(insert, [{ ...values, event: id, type, now: tx.now, traceparent }]);
  return id;
}

const given = storedData(sql`${sql.placeholder("data")}`);

interface Outbox {
  /** The last event of all, also of this transaction. */
  newest: EventId | null;
  /** The types of events that an enabled endpoint has subscribed to. No transaction emits an event and changes an endpoint. */
  subscribed: ReadonlySet<string>;
}

const outboxes = new WeakMap<TenantTx, Promise<Outbox>>();

/** Returns what `emit` needs, which reads it by itself: read it before with what else is read then. */
export function outboxIn(tx: TenantTx): Promise<Outbox> {
  const outbox = outboxes.get(tx) ?? readOutbox(tx);
  outboxes.set(tx, outbox);
  return outbox;
}

async function readOutbox(tx: TenantTx): Promise<Outbox> {
  const [[newest, types] = [null, "[]"]] = await tx.rows(outboxNow, {});
  return { newest, subscribed: new Set(z.array(z.string()).parse(JSON.parse(types))) };
}

const outboxNow = sql<[EventId | null, string]>`select
  (select ${events.id} from ${events} order by ${events.id} desc limit 1),
  (select json_group_array(type.value) from ${webhookEndpoints}, json_each(${webhookEndpoints.event_types}) as type
    where ${webhookEndpoints.enabled} and ${webhookEndpoints.deleted_at} is null)`;

/**
 * Returns an id greater than those of all events: a program that reads events forward misses none, even of the same
 * millisecond or after the clock was set back.
 */
async function nextEventId(tx: TenantTx): Promise<EventId> {
  const outbox = await outboxIn(tx);
  const id: EventId = `evt_${newId(clockOf(tx)).replaceAll("-", "")}`;
  outbox.newest = outbox.newest === null || outbox.newest < id ? id : following(outbox.newest);
  return outbox.newest;
}

const following = (id: EventId): EventId =>
  `evt_${(BigInt(`0x${id.slice("evt_".length)}`) + 1n).toString(16).padStart(32, "0")}`;

/**
 * Returns a lower bound for the ids of events from an instant on; the ids of earlier events are below it. An id begins with
 * the milliseconds at which its event occurred, so a range of time is a range of the primary key. An instant before 1970
 * is below all ids.
 */
export const firstEventIdAt = (at: Instant): EventId =>
  `evt_${Math.max(0, Date.parse(at)).toString(16).padStart(12, "0")}`;

const clockOf = ({ now }: TenantTx) => ({ now: () => new Date(now) });
