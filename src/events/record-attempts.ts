import { sql } from "drizzle-orm";
import { type Instant, seconds, shift } from "../core/clock.ts";
import type { DeliveryId, EndpointId } from "../core/ids.ts";
import type { Tx } from "../storage/store.ts";
import { noteHealth } from "./endpoint-health.ts";
import { deliveries, deliveryAttempts } from "./events.tables.ts";
import type { Outcome } from "./outbound/outcome.ts";
import { type Claimed, cancelIfInactive } from "./outbox.ts";

/** How one attempt ended. */
export interface Attempt {
  delivery: Pick<Claimed, "id" | "endpointId" | "attempt" | "leaseToken">;
  /** Where it went. */
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  outcome: Outcome;
  /** What was sent, values of the endpoint's own headers masked; null when nothing was. */
  requestHeaders: Readonly<Record<string, string>> | null;
}

/** From the end of a failed attempt to the next: after these the delivery has failed. The contract's figures. */
export const retryDelays = [1, 5, 25, 125].map(seconds);

/**
 * Records attempts that have ended, and what becomes of their deliveries. One whose lease was lost counts for nothing:
 * somebody else has the delivery by now. What a disabled endpoint had coming is cancelled.
 *
 * @returns the deliveries whose attempts counted
 */
export async function recordAttempts(tx: Tx<"tenant">, attempts: readonly Attempt[]): Promise<Set<DeliveryId>> {
  const rows = JSON.stringify(attempts.map(rowOf));
  await tx.run(sql`
    insert into ${deliveryAttempts}
      (delivery_id, number, started_at, duration_ms, status_code, error_class, response_headers, response_body,
        request_headers)
    select d.id, a.value ->> 'number', a.value ->> 'startedAt', a.value ->> 'durationMs', a.value ->> 'statusCode',
      a.value ->> 'errorClass', a.value ->> 'headers', a.value ->> 'body', a.value ->> 'requestHeaders'
    from json_each(${rows}) as a cross join ${deliveries} as d
    where d.id = a.value ->> 'id' and d.status = 'delivering' and d.lease_token = a.value ->> 'leaseToken'`);
  const ended = await tx.values<[DeliveryId]>(sql`
    update ${deliveries}
    set status = a.status, attempts = a.number, due_at = a.due, finished_at = a.finished,
      lease_token = null, lease_until = null
    from (
      select value ->> 'id' as id, value ->> 'leaseToken' as token, value ->> 'status' as status,
        value ->> 'number' as number, value ->> 'dueAt' as due, value ->> 'finishedAt' as finished
      from json_each(${rows})) as a
    where ${deliveries.id} = a.id and ${deliveries.status} = 'delivering' and ${deliveries.leaseToken} = a.token
    returning id`);
  const counted = new Set(ended.map((row) => row[0]));
  await noteHealth(
    tx,
    attempts.filter(({ delivery }) => counted.has(delivery.id)),
  );
  const failed = attempts.filter(({ delivery, outcome }) => outcome.errorClass !== null && counted.has(delivery.id));
  if (failed.length > 0) await cancelIfInactive(tx, endpointsOf(failed));
  return counted;
}

/** Whether no other attempt follows this one, however it went. */
export const isLast = ({ delivery }: Attempt): boolean => delivery.attempt > retryDelays.length;

function rowOf({ delivery, startedAt, endedAt, outcome, requestHeaders }: Attempt) {
  const succeeded = outcome.errorClass === null;
  const delay = retryDelays[delivery.attempt - 1];
  const retries = !succeeded && delay !== undefined;
  return {
    id: delivery.id,
    leaseToken: delivery.leaseToken,
    number: delivery.attempt,
    startedAt,
    durationMs: outcome.durationMs,
    statusCode: outcome.status,
    errorClass: outcome.errorClass,
    headers: outcome.headers && JSON.stringify(outcome.headers),
    body: outcome.body,
    requestHeaders: requestHeaders && JSON.stringify(requestHeaders),
    status: succeeded ? "succeeded" : retries ? "pending" : "failed",
    dueAt: retries ? shift(endedAt, delay) : null,
    finishedAt: retries ? null : endedAt,
  };
}

const endpointsOf = (attempts: readonly Attempt[]): EndpointId[] => [
  ...new Set(attempts.map(({ delivery }) => delivery.endpointId)),
];
