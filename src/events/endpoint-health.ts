/** What attempts say about their endpoint: since when it has only failed, and when that ends it. */
import { and, eq, lte, sql } from "drizzle-orm";
import { days, type Instant, shift } from "../core/clock.ts";
import type { EndpointId } from "../core/ids.ts";
import { audit } from "../storage/audit.ts";
import type { Tx } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import { webhookEndpoints } from "./events.tables.ts";

/** An endpoint that has only failed for this long is disabled with the next failure. */
export const failingFor = days(5);

const GONE = 410;

/**
 * Takes down since when endpoints fail, and disables those that answered 410 or have failed for five days. A failure of
 * an attempt that began before its endpoint was changed counts for nothing: it speaks of what the endpoint was.
 */
export async function noteHealth(tx: Tx<"tenant">, attempts: readonly Attempt[]): Promise<void> {
  await endFailing(tx, attempts);
  for (const [endpointId, ended] of byEndpoint(attempts)) {
    for (const gone of ended.filter(({ outcome }) => outcome.status === GONE)) await disable(tx, gone, "gone");
    const failed = ended.slice(ended.findLastIndex(isSuccess) + 1);
    const last = failed.at(-1);
    if (last === undefined) continue;
    const since = await failing(tx, endpointId, failed);
    if (since !== undefined && shift(since, failingFor) <= last.endedAt) await disable(tx, last, "failing");
  }
}

const isSuccess = ({ outcome }: Attempt): boolean => outcome.errorClass === null;

/** A statement that changes nothing where nothing was wrong, which is how most attempts go. */
async function endFailing(tx: Tx<"tenant">, attempts: readonly Attempt[]): Promise<void> {
  const succeeded = [...new Set(attempts.filter(isSuccess).map(({ delivery }) => delivery.endpointId))];
  if (succeeded.length === 0) return;
  await tx.run(sql`
    update ${webhookEndpoints} set failing_since = null
    where id in (select value from json_each(${JSON.stringify(succeeded)})) and failing_since is not null`);
}

/** @returns since when the endpoint has only failed; undefined when it was changed since these attempts began */
async function failing(
  tx: Tx<"tenant">,
  endpointId: EndpointId,
  failed: readonly Attempt[],
): Promise<Instant | undefined> {
  const [endpoint] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
  const ofThis = failed.filter(({ url, startedAt }) => url === endpoint?.url && endpoint.updatedAt <= startedAt);
  const [first, last] = [ofThis.at(0), ofThis.at(-1)];
  if (endpoint === undefined || first === undefined || last === undefined) return undefined;
  const failingSince = endpoint.failingSince ?? first.endedAt;
  const columns = { failingSince, lastFailureAt: last.endedAt, lastFailureClass: last.outcome.errorClass };
  await tx.update(webhookEndpoints).set(columns).where(eq(webhookEndpoints.id, endpointId));
  return failingSince;
}

/** In the order in which they ended. */
function byEndpoint(attempts: readonly Attempt[]): Map<EndpointId, Attempt[]> {
  const found = new Map<EndpointId, Attempt[]>();
  for (const attempt of attempts) {
    const { endpointId } = attempt.delivery;
    const known = found.get(endpointId);
    if (known === undefined) found.set(endpointId, [attempt]);
    else known.push(attempt);
  }
  for (const ended of found.values())
    ended.sort((a, b) => (a.endedAt < b.endedAt ? -1 : a.endedAt > b.endedAt ? 1 : 0));
  return found;
}

/** @returns whether it was enabled, and is not any more */
async function disable(
  tx: Tx<"tenant">,
  { delivery, url, startedAt, endedAt, outcome }: Attempt,
  reason: "gone" | "failing",
): Promise<boolean> {
  const { id, enabled, updatedAt } = webhookEndpoints;
  const asDialled = and(eq(id, delivery.endpointId), eq(webhookEndpoints.url, url), lte(updatedAt, startedAt));
  const lastFailure = { lastFailureAt: endedAt, lastFailureClass: outcome.errorClass };
  const disabled = await tx
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: reason, ...lastFailure, updatedAt: tx.now })
    .where(and(asDialled, eq(enabled, true)))
    .returning({ id });
  if (disabled.length === 0) return false;
  const by = { actor: { kind: "job", name: "webhook-dispatcher" }, requestId: "" } as const;
  await audit(tx, by, "webhook_endpoint.disabled", {
    subject: { kind: "webhook_endpoint", id: delivery.endpointId },
    before: { enabled: true },
    after: { enabled: false, disabled_reason: reason },
  });
  return true;
}
