import { sql } from "drizzle-orm";
import { shift } from "../core/clock.ts";
import type { DeliveryId, EndpointId } from "../core/ids.ts";
import type { Tx } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import { type OnDisabled, recordHealth } from "./endpoint-health.ts";
import { deliveries, deliveryAttempts } from "./events.tables.ts";
import { cancelIfInactive } from "./outbox.ts";
import { retryDelays } from "./retry-delays.ts";

/**
 * Records attempts that ended, and updates their deliveries. Ignores attempts whose lease was lost: their delivery was
 * claimed again. Cancels the pending deliveries of endpoints that are disabled.
 *
 * @returns the deliveries whose attempts were recorded
 */
export async function recordAttempts(
  tx: Tx<"tenant">,
  attempts: readonly Attempt[],
  onDisabled?: OnDisabled,
): Promise<Set<DeliveryId>> {
  const ended = await tx.countEach(endAttempt, attempts.map(stateAfter));
  const counted = attempts.filter((_, index) => ended[index] === 1);
  await tx.each(insertAttempt, counted.map(rowOf));
  await recordHealth(tx, counted, onDisabled);
  const failed = counted.filter(({ outcome }) => outcome.errorClass !== null);
  if (failed.length > 0) await cancelIfInactive(tx, endpointsOf(failed));
  return new Set(counted.map(({ delivery }) => delivery.id));
}

const value = sql.placeholder;

/** Updates a delivery if its lease is still valid. */
const endAttempt = sql`
  update ${deliveries}
  set status = ${value("status")}, attempts = ${value("attempts")}, due_at = ${value("dueAt")},
    finished_at = ${value("finishedAt")}, lease_token = null, lease_until = null
  where id = ${value("id")} and status = 'delivering' and lease_token = ${value("leaseToken")}`;

const insertAttempt = sql`
  insert into ${deliveryAttempts}
    (delivery_id, number, started_at, duration_ms, status_code, error_class, response_headers, response_body,
      request_headers)
  values
    (${value("id")}, ${value("number")}, ${value("startedAt")}, ${value("durationMs")}, ${value("statusCode")},
      ${value("errorClass")}, ${value("headers")}, ${value("body")}, ${value("requestHeaders")})`;

/** Returns whether no other attempt follows this one, whatever its outcome. */
export const isLast = ({ delivery }: Attempt): boolean => delivery.attempt > retryDelays.length;

function stateAfter({ delivery, endedAt, outcome }: Attempt) {
  const succeeded = outcome.errorClass === null;
  const delay = retryDelays[delivery.attempt - 1];
  const retries = !succeeded && delay !== undefined;
  return {
    id: delivery.id,
    leaseToken: delivery.leaseToken,
    attempts: delivery.attempt,
    status: succeeded ? "succeeded" : retries ? "pending" : "failed",
    dueAt: retries ? shift(endedAt, delay) : null,
    finishedAt: retries ? null : endedAt,
  };
}

const rowOf = ({ delivery, startedAt, outcome, requestHeaders }: Attempt) => ({
  id: delivery.id,
  number: delivery.attempt,
  startedAt,
  durationMs: outcome.durationMs,
  statusCode: outcome.status,
  errorClass: outcome.errorClass,
  headers: outcome.headers && JSON.stringify(outcome.headers),
  body: outcome.body,
  requestHeaders: requestHeaders && JSON.stringify(requestHeaders),
});

const endpointsOf = (attempts: readonly Attempt[]): EndpointId[] => [
  ...new Set(attempts.map(({ delivery }) => delivery.endpointId)),
];
