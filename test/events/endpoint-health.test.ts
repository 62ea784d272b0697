/** How the attempts of one transaction change the health of their endpoint. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { type Instant, seconds, shift } from "../../src/core/clock.ts";
import { type DeliveryId, newId } from "../../src/core/ids.ts";
import type { Attempt } from "../../src/events/attempt.ts";
import { recordHealth } from "../../src/events/endpoint-health.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import { failed, newSetup, nowOf, succeeded } from "./setup.ts";

const url = "https://receiver.test/";
const oldUrl = "https://old.test/";

/** An endpoint whose URL was changed at second 10. Times are seconds since the start of the scene. */
async function newScene({ failingSince, disabled = false }: { failingSince?: number; disabled?: boolean } = {}) {
  const { clock, newSchool } = await newSetup();
  const { tenant, addEndpoint, endpoint } = await newSchool();
  const { id } = await addEndpoint({ url });
  const start = nowOf(clock);
  const at = (second: number): Instant => shift(start, seconds(second));
  const columns = {
    updated_at: at(10),
    failing_since: failingSince === undefined ? null : at(failingSince),
    ...(disabled && { enabled: false, disabled_reason: "by_hand" }),
  };
  await tenant.write((tx) => tx.update(webhookEndpoints).set(columns).where(eq(webhookEndpoints.id, id)));
  const attempt = (outcome: Attempt["outcome"], endedAt: number, change: Partial<Attempt> = {}): Attempt => ({
    delivery: { id: newId<"delivery">(clock) satisfies DeliveryId, endpointId: id, attempt: 1, leaseToken: "a.1" },
    url,
    startedAt: at(10),
    endedAt: at(endedAt),
    outcome,
    requestHeaders: {},
    trace: { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", isSampled: false },
    ...change,
  });
  return {
    at,
    tenant,
    failure: (endedAt: number, change?: Partial<Attempt>) => attempt(failed, endedAt, change),
    success: (endedAt: number, change?: Partial<Attempt>) => attempt(succeeded, endedAt, change),
    /** @returns the endpoint afterwards */
    async note(...attempts: Attempt[]) {
      await tenant.write((tx) => recordHealth(tx, attempts));
      return endpoint(id);
    },
  };
}

test("an endpoint that failed and then succeeded is not failing, and keeps its last failure", async () => {
  const { at, failure, success, note } = await newScene();
  const lastFailure = { last_failure_at: at(11), last_failure_class: "status" };
  expect(await note(failure(11), success(12))).toMatchObject({ failing_since: null, ...lastFailure });
});

test("an endpoint fails since the first failure after its last success, in the order in which attempts ended", async () => {
  const { at, failure, success, note } = await newScene({ failingSince: 5 });
  const seen = await note(failure(15), success(12), failure(14), failure(11));
  expect(seen).toMatchObject({ failing_since: at(14), last_failure_at: at(15) });
  expect(await note(success(17), failure(16))).toMatchObject({ failing_since: null, last_failure_at: at(16) });
});

test("further failures do not change since when an endpoint fails", async () => {
  const { at, failure, note } = await newScene({ failingSince: 5 });
  expect(await note(failure(11), failure(12))).toMatchObject({ failing_since: at(5), last_failure_at: at(12) });
});

test("a failure before the endpoint's change, or at its old address, is ignored", async () => {
  const { at, failure, note } = await newScene();
  const seen = await note(failure(11, { startedAt: at(9) }), failure(12, { url: oldUrl }));
  expect(seen).toMatchObject({ failing_since: null, last_failure_at: null, last_failure_class: null });
});

test("a failure counts although the endpoint was changed while the clock was a day ahead", async () => {
  const { at, failure, note } = await newScene();
  const day = 86_400;
  const seen = await note(failure(11 - day, { startedAt: at(10 - day) }));
  expect(seen).toMatchObject({ last_failure_at: at(11 - day) });
});

test("a late success before the endpoint's change, or at its old address, is ignored", async () => {
  const { at, failure, success, note } = await newScene({ failingSince: 10 });
  const late = [success(13, { startedAt: at(9) }), success(14, { url: oldUrl })];
  expect(await note(...late)).toMatchObject({ failing_since: at(10) });
  expect(await note(failure(11), ...late)).toMatchObject({ failing_since: at(10), last_failure_at: at(11) });
});

test("a success at the old address does not hide a failure at the new one", async () => {
  const { at, failure, success, note } = await newScene();
  expect(await note(failure(11), success(13, { url: oldUrl }))).toMatchObject({ failing_since: at(11) });
});

test("an endpoint that is disabled keeps its reason", async () => {
  const { tenant, failure, note } = await newScene({ disabled: true });
  const seen = await note(failure(11, { outcome: { ...failed, status: 410 } }));
  expect(seen).toMatchObject({ enabled: false, disabled_reason: "by_hand" });
  expect(await tenant.read((reader) => reader.$count(auditLog))).toBe(0);
});

test("an endpoint that returns 410 twice is disabled once", async () => {
  const { tenant, failure, note } = await newScene();
  const gone = { outcome: { ...failed, status: 410 } };
  const seen = await note(failure(11, gone), failure(12, gone));
  expect(seen).toMatchObject({ enabled: false, disabled_reason: "gone" });
  expect(await tenant.read((reader) => reader.$count(auditLog))).toBe(1);
});
