/** Queues deliveries of events in the transaction that makes them due. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DeliveryId, EndpointId, EventId } from "../core/ids.ts";
import type { Tx, Value } from "../storage/store.ts";
import { deliveries, events, webhookEndpoints } from "./events.tables.ts";

type TenantTx = Tx<"tenant">;

const value = sql.placeholder;

interface Event {
  id: EventId;
  type: string;
}

interface Selected {
  /** The ids of the events. */
  eventId: SQLWrapper;
  from?: SQL;
  /** Selects the endpoints. */
  where: SQL;
}

/** One delivery of each event, due now, for each enabled endpoint that `where` selects. */
const queueing = ({ eventId, from, where }: Selected) => sql`
  insert into ${deliveries} (id, event_id, endpoint_id, status, attempts, due_at, created_at)
  select ${uuidv7}, ${eventId}, ${webhookEndpoints.id}, 'pending', 0, ${value("now")}, ${value("now")}
  from ${from === undefined ? webhookEndpoints : sql`${from} cross join ${webhookEndpoints}`}
  where ${webhookEndpoints.enabled} and ${webhookEndpoints.deleted_at} is null and ${where}`;

const returningIds = (insert: SQL) => sql<[DeliveryId]>`${insert} returning id`;

/** An SQL expression for a new UUIDv7 in each row, in the format of `newId` (RFC 9562, 5.7). */
const uuidv7 = sql`lower(printf('%s-%s-7%s-%s%s-%s', ${value("time_high")}, ${value("time_low")},
  substr(hex(randomblob(2)), 2), substr('89ab', 1 + (random() & 3), 1), substr(hex(randomblob(2)), 2),
  hex(randomblob(6))))`;

const stampsOf = ({ now }: TenantTx) => {
  const time = new Date(now).getTime().toString(16).padStart(12, "0");
  return { now, time_high: time.slice(0, 8), time_low: time.slice(8) };
};

async function queue(tx: TenantTx, statement: SQL<[DeliveryId]>, values: Record<string, Value>): Promise<DeliveryId[]> {
  const rows = await tx.rows(statement, { ...values, ...stampsOf(tx) });
  if (rows.length > 0) tx.due();
  return rows.map(([id]) => id);
}

const subscribedTo = (type: SQLWrapper): SQL =>
  sql`exists (select 1 from json_each(${webhookEndpoints.event_types}) where value = ${type})`;

const eventId = value("event");
const isEndpoint = sql`${webhookEndpoints.id} = ${value("endpoint")}`;
const isSubscribed = subscribedTo(value("type"));

const toAllSubscribers = queueing({ eventId, where: isSubscribed });
const toSubscribers = returningIds(toAllSubscribers);
const toEndpoint = returningIds(queueing({ eventId, where: isEndpoint }));
const toSubscriber = returningIds(queueing({ eventId, where: sql`${isEndpoint} and ${isSubscribed}` }));

/** Queues one delivery for each endpoint that is enabled and subscribed now, of whom the caller knows that there are some. */
export async function queueToAllSubscribers(tx: TenantTx, { id, type }: Event): Promise<void> {
  await tx.each(toAllSubscribers, [{ event: id, type, ...stampsOf(tx) }]);
  tx.due();
}

/** Queues one delivery for an enabled endpoint, subscribed or not. */
export const queueToEndpoint = (tx: TenantTx, id: EventId, endpoint: EndpointId): Promise<DeliveryId[]> =>
  queue(tx, toEndpoint, { event: id, endpoint });

/** Queues new deliveries of an event for all endpoints that are enabled and subscribed now, or for one of them. */
export const replay = (tx: TenantTx, event: Event, endpoint?: EndpointId): Promise<DeliveryId[]> =>
  endpoint === undefined
    ? queue(tx, toSubscribers, { event: event.id, type: event.type })
    : queue(tx, toSubscriber, { event: event.id, type: event.type, endpoint });

/** Queues deliveries of many events for the endpoints that are enabled, subscribed now, and selected. */
export const queueMany = (tx: TenantTx, ids: readonly EventId[], recipients: SQL): Promise<DeliveryId[]> =>
  queue(
    tx,
    returningIds(
      queueing({
        eventId: events.id,
        from: sql`json_each(${value("events")}) as batch cross join ${events} on ${events.id} = batch.value`,
        where: sql`${subscribedTo(events.type)} and ${recipients}`,
      }),
    ),
    { events: JSON.stringify(ids) },
  );
