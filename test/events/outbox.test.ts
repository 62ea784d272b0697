import { expect, test } from "bun:test";
import { eq, type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { days, type Instant, seconds, shift } from "../../src/core/clock.ts";
import type { Attempt } from "../../src/events/attempt.ts";
import { deliveries, webhookEndpoints } from "../../src/events/events.tables.ts";
import type { Outcome } from "../../src/events/outbound/outcome.ts";
import { claim, dueDeliveries, dueTimes, nextDue, release } from "../../src/events/outbox.ts";
import { recordAttempts } from "../../src/events/record-attempts.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import type { Reader } from "../../src/storage/store.ts";
import { TestClock } from "../support/clock.ts";
import { failed, newNetwork, newSetup, nowOf, type School, succeeded } from "./setup.ts";

const claimWith = (
  school: School,
  token: string,
  options: { room?: number; lease?: number; takeOver?: boolean } = {},
) =>
  school.tenant.write((tx) =>
    claim(tx, {
      room: { of: () => options.room ?? 10, take: (_, count) => count },
      lease: options.lease ?? seconds(30),
      token,
      takeOver: options.takeOver ?? false,
    }),
  );

const url = "https://receiver.test/";

const attempt = (delivery: Attempt["delivery"], now: Instant, outcome: Outcome = succeeded): Attempt => ({
  delivery,
  url,
  startedAt: now,
  endedAt: now,
  outcome,
  requestHeaders: {},
  trace: { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", isSampled: false },
});

test("claim takes due deliveries, oldest first, as many of each endpoint as there is room for", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const [a, b] = [await school.addEndpoint(), await school.addEndpoint()];
  const pings: string[] = [];
  for (const { id } of [a, a, a, b]) {
    pings.push((await school.ping(id)).deliveryId);
    setup.clock.advance(1);
  }

  const first = await claimWith(school, "boot.1", { room: 2 });
  expect(first.claimed.map(({ id }) => pings.indexOf(id)).sort()).toEqual([0, 1, 3]);
  expect(first).toMatchObject({ hasMore: true, nextDueAt: null });
  const again = await claimWith(school, "boot.2");
  expect(again.claimed.map(({ id }) => pings.indexOf(id))).toEqual([2]);
  expect(again.claimed).toMatchObject([{ attempt: 1, leaseToken: "boot.2" }]);
  expect(again.hasMore).toBe(false);
});

test("claim takes no more than the room that is left when it has read the due deliveries, and reports that there are more", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  for (let count = 0; count < 3; count++) await school.ping(id);
  const room = { of: () => 10, take: () => 1 };
  const options = { room, lease: seconds(30), token: "a.1", takeOver: false };
  const { claimed, hasMore } = await school.tenant.write((tx) => claim(tx, options));
  expect([claimed.length, hasMore]).toEqual([1, true]);
  const all = await school.deliveries();
  expect(all.map(({ status }) => status).sort()).toEqual(["delivering", "pending", "pending"]);
});

test("a result is recorded only with the lease of its claim", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  const [lost] = (await claimWith(school, "a.1")).claimed;
  setup.clock.advance(seconds(30));
  const [held] = (await claimWith(school, "b.1")).claimed;
  if (!lost || !held) throw new Error("Nothing was claimed.");
  const record = (delivery: Attempt["delivery"], outcome: Outcome) =>
    school.tenant.write((tx) => recordAttempts(tx, [attempt(delivery, nowOf(setup.clock), outcome)]));

  expect(await record(lost, failed)).toEqual(new Set());
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering", attempts: 0, lease_token: "b.1" });
  expect(await record(held, succeeded)).toEqual(new Set([deliveryId]));
  expect(await record(held, failed)).toEqual(new Set());
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 1 });
  expect(await school.attempts(deliveryId)).toHaveLength(1);
});

test("a delivery is claimed again when its lease ends, or at once when its process is known to be dead", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await claimWith(school, "a.1");
  expect((await claimWith(school, "b.1")).claimed).toEqual([]);
  expect((await claimWith(school, "a.2", { takeOver: true })).claimed).toEqual([]);
  expect((await claimWith(school, "b.2", { takeOver: true })).claimed).toMatchObject([{ id: deliveryId, attempt: 1 }]);
  setup.clock.advance(seconds(30));
  expect((await claimWith(school, "b.3")).claimed).toMatchObject([{ id: deliveryId, leaseToken: "b.3" }]);
});

test("what was planned while the clock was a day ahead is due when it is set back, and what may be so far is not", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const now = nowOf(setup.clock);
  const ids: string[] = [];
  for (const ahead of [days(1), seconds(186), seconds(185)]) {
    const { deliveryId } = await school.ping(id);
    ids.push(deliveryId);
    const due_at = shift(now, ahead);
    await school.tenant.write((tx) => tx.update(deliveries).set({ due_at }).where(eq(deliveries.id, deliveryId)));
  }
  const at = { now: setup.clock.now() };
  expect(await school.tenant.read((reader) => nextDue(reader, at))).toBe(shift(now, seconds(185)));
  expect((await claimWith(school, "a.1")).claimed.map(({ id }) => ids.indexOf(id)).sort()).toEqual([0, 1]);
  await school.tenant.write((tx) =>
    tx.update(deliveries).set({ status: "pending", due_at: shift(now, days(1)), lease_token: null, lease_until: null }),
  );
  expect(await school.tenant.read((reader) => nextDue(reader, at))).toBe(now);
  expect((await claimWith(school, "a.2")).claimed).toHaveLength(3);

  const leased = (ahead: number) =>
    school.tenant.write((tx) => tx.update(deliveries).set({ lease_until: shift(now, ahead) }));
  await leased(seconds(90));
  expect((await claimWith(school, "a.3")).claimed).toEqual([]);
  await leased(seconds(91));
  expect((await claimWith(school, "a.4")).claimed).toHaveLength(3);
});

/** A school with one claimed delivery. */
async function claimedDelivery() {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint({ url });
  const { deliveryId } = await school.ping(id);
  const [delivery] = (await claimWith(school, "a.1")).claimed;
  if (delivery === undefined) throw new Error("Nothing was claimed.");
  const record = (change: Partial<Attempt>) =>
    school.tenant.write((tx) => recordAttempts(tx, [{ ...attempt(delivery, nowOf(setup.clock)), ...change }]));
  const change = (columns: Partial<typeof webhookEndpoints.$inferInsert>) =>
    school.tenant.write((tx) =>
      tx
        .update(webhookEndpoints)
        .set({ ...columns, updated_at: tx.now })
        .where(eq(webhookEndpoints.id, id)),
    );
  return { setup, school, id, deliveryId, delivery, record, change };
}

const gone: Outcome = { ...failed, status: 410 };
const disablings = ({ tenant }: School) =>
  tenant.read((reader) => reader.select().from(auditLog).where(eq(auditLog.action, "webhook_endpoint.disabled")));

test("410 disables the endpoint, and the audit log names the dispatcher as actor", async () => {
  const { school, id, deliveryId, record } = await claimedDelivery();
  await record({ outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "cancelled", due_at: null });
  expect(await disablings(school)).toMatchObject([
    { actor_kind: "job", actor_id: "webhook-dispatcher", subject_kind: "webhook_endpoint", subject_id: id },
  ]);
});

test("410 without a valid lease disables nothing", async () => {
  const { school, id, delivery, record } = await claimedDelivery();
  await record({ delivery: { ...delivery, leaseToken: "lost" }, outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true });
  expect(await disablings(school)).toEqual([]);
});

test("410 from the old address does not disable an endpoint with a new address", async () => {
  const { setup, school, id, deliveryId, record, change } = await claimedDelivery();
  // The delivery was claimed before the change, and sent after it.
  await change({ url: "https://new.test/" });
  setup.clock.advance(seconds(1));
  await record({ startedAt: nowOf(setup.clock), outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true, url: "https://new.test/" });
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: 1 });
  expect(await disablings(school)).toEqual([]);
});

test("410 of an attempt that started before the endpoint was enabled again does not disable it", async () => {
  const { setup, school, id, record, change } = await claimedDelivery();
  const startedAt = nowOf(setup.clock);
  setup.clock.advance(1);
  await change({ enabled: true });
  await record({ startedAt, outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true });
  expect(await disablings(school)).toEqual([]);
});

test("a failed attempt at an endpoint that was disabled or deleted meanwhile cancels the delivery", async () => {
  const now = nowOf(new TestClock());
  for (const columns of [{ enabled: false }, { deleted_at: now }]) {
    const { setup, school, deliveryId, record, change } = await claimedDelivery();
    await change(columns);
    await record({ outcome: failed });
    expect(await school.delivery(deliveryId)).toMatchObject({
      status: "cancelled",
      attempts: 1,
      due_at: null,
      finished_at: nowOf(setup.clock),
    });
  }
});

test("a delivery is finished when its last attempt ends, with success or failure", async () => {
  for (const outcome of [succeeded, failed]) {
    const { setup, school, deliveryId, delivery, record } = await claimedDelivery();
    const endedAt = shift(nowOf(setup.clock), seconds(2));
    await record({ delivery: { ...delivery, attempt: 5 }, endedAt, outcome });
    expect(await school.delivery(deliveryId)).toMatchObject({
      status: outcome === failed ? "failed" : "succeeded",
      finished_at: endedAt,
    });
  }
});

test("release makes a delivery pending, only with the token of its lease", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  const { claimed } = await claimWith(school, "a.1");
  await school.tenant.write((tx) => release(tx, [{ id: deliveryId, leaseToken: "other" }]));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
  await school.tenant.write((tx) => release(tx, claimed));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: 0, lease_token: null });
});

test("nextDue returns the earliest due time, of deliveries in flight too", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const next = () => school.tenant.read(nextDue);
  const { id } = await school.addEndpoint();
  expect(await next()).toBeNull();
  const startedAt = nowOf(setup.clock);
  await school.ping(id);
  expect(await next()).toBe(startedAt);
  setup.clock.advance(seconds(3));
  const { claimed } = await claimWith(school, "a.1");
  expect(await next()).toBe(startedAt);
  const now = nowOf(setup.clock);
  await school.tenant.write((tx) =>
    recordAttempts(
      tx,
      claimed.map((delivery) => attempt(delivery, now, failed)),
    ),
  );
  expect(await next()).toBe(shift(now, seconds(1)));
  expect((await claimWith(school, "a.2")).nextDueAt).toBe(shift(now, seconds(1)));
});

/** SQLite's query plan, one step per line. */
async function planOf(reader: Reader<"tenant">, query: SQL): Promise<string> {
  const rows = await reader.values<[number, number, number, string]>(sql`explain query plan ${query}`);
  return rows.map((row) => row[3]).join("\n");
}

test("due deliveries are found by the partial indexes, without a sort", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  await school.tenant.read(async (reader) => {
    const timed = Object.assign(Object.create(reader) as typeof reader, { now: nowOf(setup.clock) });
    const plan = await planOf(reader, dueDeliveries(timed, id, 8).getSQL());
    expect(plan).toMatch(/SEARCH deliveries USING INDEX deliveries_turn \(endpoint_id=\? AND due_at<\?\)/);
    expect(plan).not.toContain("TEMP B-TREE");
    const plans: string[] = [];
    const explaining = new Proxy(reader, {
      get: (target, name) =>
        name === "values"
          ? async (query: SQL) => {
              plans.push(await planOf(target, query));
              return [];
            }
          : Reflect.get(target, name),
    });
    await dueTimes(explaining);
    expect(plans).toEqual([
      expect.stringMatching(/^SCAN deliveries USING INDEX deliveries_leased$/),
      expect.stringMatching(/^SCAN deliveries USING COVERING INDEX deliveries_due$/),
    ]);
  });
});

test("with any sequence of outcomes, a delivery has at most five attempts, and its final status does not change", async () => {
  const setup = await newSetup();
  const outcomes: Outcome[] = [
    succeeded,
    failed,
    { ...failed, errorClass: "timeout", status: null },
    { ...failed, errorClass: "redirect", status: 302 },
    { ...failed, status: 410 },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...outcomes), { minLength: 7, maxLength: 7 }),
      fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 8 }),
      async (script, waits) => {
        const school = await setup.newSchool();
        let calls = 0;
        const { sent, send } = newNetwork(() => script[calls++] ?? failed);
        const dispatcher = setup.dispatcher(send);
        const { id } = await school.addEndpoint();
        const { deliveryId } = await school.ping(id);
        const final = ["succeeded", "failed", "cancelled"];
        let ended: string | undefined;
        for (const wait of [0, ...waits, 1000, 1000, 1000, 1000, 1000]) {
          setup.clock.advance(seconds(wait));
          await dispatcher.sendDue();
          const { status, attempts } = await school.delivery(deliveryId);
          expect(attempts).toBe(sent.length);
          expect((await school.attempts(deliveryId)).map(({ number }) => number)).toEqual(sent.map((_, i) => i + 1));
          if (ended !== undefined) expect(status).toBe(ended as typeof status);
          if (final.includes(status)) ended = status;
        }
        const stop = script.findIndex(({ errorClass, status }) => errorClass === null || status === 410);
        const attempts = stop === -1 ? 5 : Math.min(stop + 1, 5);
        expect(sent).toHaveLength(attempts);
        const last = script[attempts - 1];
        const expected = last?.errorClass === null ? "succeeded" : attempts === 5 ? "failed" : "cancelled";
        expect(ended).toBe(expected);
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
