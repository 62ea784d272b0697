/** Tracks since when an endpoint has failed, and disables it when it is gone or has failed for too long. */
import { eq, sql } from "drizzle-orm";
import { days, type Instant, isToCome, shift } from "../core/clock.ts";
import type { EndpointId } from "../core/ids.ts";
import { audit } from "../storage/audit.ts";
import type { Tx } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import { webhookEndpoints } from "./events.tables.ts";
import { deliveryTimeout } from "./outbound/sender.ts";

/** An endpoint without a success for this long is disabled with the next failure. */
const disableAfter = days(5);

const GONE = 410;

/** Called after the commit, for each endpoint that was disabled. */
export type OnDisabled = (endpointId: EndpointId, reason: "gone" | "failing") => void;

/**
 * Records since when endpoints fail. Disables those that returned 410 or have failed for five days. Ignores attempts that
 * started before their endpoint was changed: they say nothing about its current address and secret.
 */
export async function recordHealth(
  tx: Tx<"tenant">,
  attempts: readonly Attempt[],
  onDisabled: OnDisabled = () => undefined,
): Promise<void> {
  for (const endpoint of await endpointsOf(tx, attempts)) {
    const ended = attemptsAt(endpoint, attempts);
    const last = ended.at(-1);
    if (last === undefined) continue;
    const failingSince = failingSinceAfter(endpoint, ended);
    await update(tx, endpoint, failingSince, ended.findLast(isFailure));
    const hasFailedLong = failingSince !== null && shift(failingSince, disableAfter) <= last.endedAt;
    const isGone = ended.some(({ outcome }) => outcome.status === GONE);
    if (!endpoint.enabled || !(isGone || hasFailedLong)) continue;
    const reason = isGone ? "gone" : "failing";
    await disable(tx, endpoint, reason);
    tx.afterCommit(() => onDisabled(endpoint.id, reason));
  }
}

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, "id" | "url" | "enabled" | "failing_since" | "updated_at">;

function endpointsOf(tx: Tx<"tenant">, attempts: readonly Attempt[]): Promise<Endpoint[]> {
  const { id, url, enabled, failing_since: failingSince, updated_at: updatedAt } = webhookEndpoints;
  const ids = JSON.stringify([...new Set(attempts.map(({ delivery }) => delivery.endpointId))]);
  return tx
    .select({ id, url, enabled, failing_since: failingSince, updated_at: updatedAt })
    .from(webhookEndpoints)
    .where(sql`${id} in (select value from json_each(${ids}))`);
}

/** Returns the attempts at the current URL since the endpoint's last change, in the order in which they ended. */
const attemptsAt = ({ id, url, updated_at: updatedAt }: Endpoint, attempts: readonly Attempt[]): Attempt[] =>
  attempts
    .filter(
      ({ delivery, url: attempted, startedAt }) =>
        // A change long after the attempt's start was made while the clock was ahead.
        delivery.endpointId === id && attempted === url && !isToCome(updatedAt, startedAt, deliveryTimeout),
    )
    .sort((a, b) => (a.endedAt < b.endedAt ? -1 : a.endedAt > b.endedAt ? 1 : 0));

const isSuccess = ({ outcome }: Attempt): boolean => outcome.errorClass === null;
const isFailure = (attempt: Attempt): boolean => !isSuccess(attempt);

/** Returns when the first failure after the last success ended; null after a success. */
function failingSinceAfter({ failing_since: failingSince }: Endpoint, ended: readonly Attempt[]): Instant | null {
  const lastSuccess = ended.findLastIndex(isSuccess);
  const before = lastSuccess === -1 ? failingSince : null;
  return before ?? ended.at(lastSuccess + 1)?.endedAt ?? null;
}

/** Writes nothing if nothing failed before or now, as with most attempts. */
async function update(
  tx: Tx<"tenant">,
  endpoint: Endpoint,
  failingSince: Instant | null,
  failure: Attempt | undefined,
): Promise<void> {
  if (failure === undefined && failingSince === endpoint.failing_since) return;
  const last = failure && { last_failure_at: failure.endedAt, last_failure_class: failure.outcome.errorClass };
  await tx
    .update(webhookEndpoints)
    .set({ failing_since: failingSince, ...last })
    .where(eq(webhookEndpoints.id, endpoint.id));
}

async function disable(tx: Tx<"tenant">, { id }: Endpoint, reason: "gone" | "failing"): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ enabled: false, disabled_reason: reason, updated_at: tx.now })
    .where(eq(webhookEndpoints.id, id));
  const by = { actor: { kind: "job", name: "webhook-dispatcher" }, requestId: "" } as const;
  await audit(tx, by, "webhook_endpoint.disabled", {
    subject: { kind: "webhook_endpoint", id },
    before: { enabled: true },
    after: { enabled: false, disabled_reason: reason },
  });
}
