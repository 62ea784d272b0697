/** Replays many events, a few at a time. */
import { and, asc, eq, gt, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import type { EndpointId, EventId } from "../core/ids.ts";
import type { Reader, Tx } from "../storage/store.ts";
import { firstEventIdAt, queue, subscribedTo } from "./emit.ts";
import { deliveries, events, webhookEndpoints } from "./events.tables.ts";
import { webhookTest } from "./webhook-test.ts";

/** Which events, and which of the endpoints subscribed to them are to be told again. */
export interface Wanted {
  /** Inclusive. */
  since: Instant;
  /** Exclusive. */
  until: Instant;
  /** All but `webhook.test`, without it. */
  type: string | null;
  /** All that are enabled and subscribed now, without it. */
  endpoint_id: EndpointId | null;
  only: "all" | "failed" | "undelivered";
}

export interface BatchReplayed {
  considered: number;
  queued: number;
  /** The last event considered; undefined when there was none. */
  last: { id: EventId; at: Instant } | undefined;
}

/** Queues deliveries of the next events after one, `limit` at most. */
export async function replayBatch(
  tx: Tx<"tenant">,
  wanted: Wanted,
  { after, limit }: { after: EventId | null; limit: number },
): Promise<BatchReplayed> {
  const batch = await nextEvents(tx, wanted, { after, limit });
  const ids = JSON.stringify(batch.map(({ id }) => id));
  const queued = await queue(tx, {
    eventId: sql`${events.id}`,
    from: sql`json_each(${ids}) as wanted cross join ${events} on ${events.id} = wanted.value`,
    where: sql`${subscribedTo(sql`${events.type}`)} and ${toWhom(wanted)}`,
  });
  return { considered: batch.length, queued: queued.length, last: batch.at(-1) };
}

export const nextEvents = (
  reader: Reader<"tenant">,
  { since, until, type }: Pick<Wanted, "since" | "until" | "type">,
  { after, limit }: { after: EventId | null; limit: number },
) =>
  reader
    .select({ id: events.id, at: events.occurred_at })
    .from(events)
    .where(
      and(
        after === null ? gte(events.id, firstEventIdAt(since)) : gt(events.id, after),
        lt(events.id, firstEventIdAt(until)),
        // Who pings one endpoint does not mean the others, and afterwards nobody.
        type === null ? ne(events.type, webhookTest.type) : eq(events.type, type),
      ),
    )
    .orderBy(asc(events.id))
    .limit(limit);

/** Whatever has been told, or is about to be, is told again by `all` alone. */
function toWhom({ endpoint_id: endpointId, only }: Wanted): SQL {
  const deliveryWith = (...statuses: string[]) => sql`exists (
    select 1 from ${deliveries} as d
    where d.event_id = ${events.id} and +d.endpoint_id = ${webhookEndpoints.id}
      and d.status in (${sql.join(statuses, sql`, `)}))`;
  const told = deliveryWith("succeeded", "pending", "delivering");
  const kinds: Record<Wanted["only"], SQL> = {
    all: sql`true`,
    failed: sql`${deliveryWith("failed")} and not ${told}`,
    undelivered: sql`not ${told}`,
  };
  return endpointId === null ? kinds[only] : sql`${webhookEndpoints.id} = ${endpointId} and ${kinds[only]}`;
}
