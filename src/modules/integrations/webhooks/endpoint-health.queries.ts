import { type SQL, sql } from "drizzle-orm";
import { hours, type Instant, shift } from "../../../core/clock.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { deliveries, deliveryAttempts, webhookEndpoints } from "../../../events/events.tables.ts";
import type { Reader } from "../../../storage/store.ts";
import type { EndpointHealth } from "./endpoint-health.schemas.ts";
import { findEndpoint } from "./webhooks.queries.ts";

/** Bounds the cost for an endpoint with many deliveries. */
const mostDeliveries = 2000;
/** The last success is searched among so many deliveries, because a retried delivery can end after newer ones. */
const mostSucceeded = 100;

/** Returns the health of an endpoint over the last 24 hours. @throws NOT_FOUND */
export async function endpointHealth(
  reader: Reader<"tenant">,
  { endpointId, now }: { endpointId: EndpointId; now: Instant },
): Promise<EndpointHealth> {
  const { failing_since } = await findEndpoint(reader, endpointId);
  const since = shift(now, -hours(24));
  const [row] = await reader.values<[number, number, number | null, number | null]>(sql`
    with newest as materialized (
      select ${deliveries.id} as id from ${deliveries} where ${deliveries.endpoint_id} = ${endpointId}
      order by ${deliveries.id} desc limit ${mostDeliveries}),
    recent as materialized (
      select ${deliveryAttempts.duration_ms} as duration, ${deliveryAttempts.error_class} is null as success
      from newest cross join ${deliveryAttempts} on ${deliveryAttempts.delivery_id} = newest.id
      where ${deliveryAttempts.started_at} >= ${since})
    select count(*), total(success), ${percentile(50)}, ${percentile(95)} from recent`);
  const [attempts, succeeded, p50_ms, p95_ms] = row ?? [0, 0, null, null];
  const [ends] = await reader.values<[Instant | null, Instant | null, string | null]>(sql`
    select (
        select max(at) from (
          select ${deliveries.finished_at} as at from ${deliveries}
          where ${deliveries.endpoint_id} = ${endpointId} and ${deliveries.status} = 'succeeded'
            and ${deliveries.finished_at} is not null
          order by ${deliveries.id} desc limit ${mostSucceeded})),
      ${webhookEndpoints.last_failure_at}, ${webhookEndpoints.last_failure_class}
    from ${webhookEndpoints} where ${webhookEndpoints.id} = ${endpointId}`);
  const [lastSuccess, failedAt, failedWith] = ends ?? [null, null, null];
  return {
    since,
    attempts,
    succeeded,
    success_rate: attempts === 0 ? null : succeeded / attempts,
    p50_ms,
    p95_ms,
    last_success_at: lastSuccess,
    last_failure: failedAt === null || failedWith === null ? null : { at: failedAt, error_class: failedWith },
    failing_since,
  };
}

/** Returns SQL for a percentile of the durations, by nearest rank. The rank is a literal: a bound number is not an integer. */
const percentile = (rank: number): SQL =>
  sql`(select duration from recent order by duration limit 1
    offset max(0, ((select count(*) from recent) * ${sql.raw(String(rank))} + 99) / 100 - 1))`;
