/** Replays many events in batches. */
import { and, asc, eq, gt, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import type { EndpointId, EventId } from "../core/ids.ts";
import type { Reader, Tx } from "../storage/store.ts";
import { firstEventIdAt } from "./emit.ts";
import { deliveries, events, webhookEndpoints } from "./events.tables.ts";
import { queueMany } from "./queue-deliveries.ts";
import { webhookTest } from "./webhook-test.ts";

/** Selects the events and the endpoints of a replay. */
export interface ReplayFilter {
  /** Inclusive. */
  since: Instant;
  /** Exclusive. */
  until: Instant;
  /** Null: all types except `webhook.test`. */
  type: string | null;
  /** Null: all endpoints that are enabled and subscribed now. */
  endpoint_id: EndpointId | null;
  /** Whether an endpoint gets all events, those that failed there, or those that it never got. */
  only: "all" | "failed" | "undelivered";
}

export interface BatchReplayed {
  considered: number;
  queued: number;
  /** The last event considered; undefined without any. */
  last: { id: EventId; at: Instant } | undefined;
}

/** Queues deliveries of the next events after `after`, at most `limit` events. */
export async function replayBatch(
  tx: Tx<"tenant">,
  filter: ReplayFilter,
  { after, limit }: { after: EventId | null; limit: number },
): Promise<BatchReplayed> {
  const batch = await nextEvents(tx, filter, { after, limit });
  const ids = batch.map(({ id }) => id);
  const queued = await queueMany(tx, ids, recipients(filter));
  return { considered: batch.length, queued: queued.length, last: batch.at(-1) };
}

export const nextEvents = (
  reader: Reader<"tenant">,
  { since, until, type }: Pick<ReplayFilter, "since" | "until" | "type">,
  { after, limit }: { after: EventId | null; limit: number },
) =>
  reader
    .select({ id: events.id, at: events.occurred_at })
    .from(events)
    .where(
      and(
        after === null ? gte(events.id, firstEventIdAt(since)) : gt(events.id, after),
        lt(events.id, firstEventIdAt(until)),
        // A ping concerns one endpoint at one time: it is not replayed unless asked for by type.
        type === null ? ne(events.type, webhookTest.type) : eq(events.type, type),
      ),
    )
    .orderBy(asc(events.id))
    .limit(limit);

/** Only `all` repeats deliveries that succeeded, are pending or in flight. */
function recipients({ endpoint_id: endpointId, only }: ReplayFilter): SQL {
  const deliveryWith = (...statuses: string[]) => sql`exists (
    select 1 from ${deliveries} as d
    where d.event_id = ${events.id} and +d.endpoint_id = ${webhookEndpoints.id}
      and d.status in (${sql.join(statuses, sql`, `)}))`;
  const delivered = deliveryWith("succeeded", "pending", "delivering");
  const kinds: Record<ReplayFilter["only"], SQL> = {
    all: sql`true`,
    failed: sql`${deliveryWith("failed")} and not ${delivered}`,
    undelivered: sql`not ${delivered}`,
  };
  return endpointId === null ? kinds[only] : sql`${webhookEndpoints.id} = ${endpointId} and ${kinds[only]}`;
}
