import { expect, test } from "bun:test";
import { eq, type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { type Instant, seconds, shift } from "../../src/core/clock.ts";
import type { Attempt } from "../../src/events/attempt.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import type { Outcome } from "../../src/events/outbound/outcome.ts";
import { claim, dueTo, nextDue, outlook, release } from "../../src/events/outbox.ts";
import { recordAttempts } from "../../src/events/record-attempts.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import type { Reader } from "../../src/storage/store.ts";
import { TestClock } from "../support/clock.ts";
import { failed, newNetwork, newOffice, nowOf, type School, succeeded } from "./office.ts";

const takes = (school: School, token: string, options: { room?: number; lease?: number; takeOver?: boolean } = {}) =>
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
});

test("claim takes what is due, oldest first, as many of each endpoint as there is room for", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const [a, b] = [await school.addEndpoint(), await school.addEndpoint()];
  const pings: string[] = [];
  for (const { id } of [a, a, a, b]) {
    pings.push((await school.ping(id)).deliveryId);
    office.clock.advance(1);
  }

  const first = await takes(school, "boot.1", { room: 2 });
  expect(first.claimed.map(({ id }) => pings.indexOf(id)).sort()).toEqual([0, 1, 3]);
  expect(first).toMatchObject({ left: true, next: null });
  const again = await takes(school, "boot.2");
  expect(again.claimed.map(({ id }) => pings.indexOf(id))).toEqual([2]);
  expect(again.claimed).toMatchObject([{ attempt: 1, leaseToken: "boot.2" }]);
  expect(again.left).toBe(false);
});

test("claim takes no more than there still is room for once it knows what is due, and says that it left some", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint();
  for (let count = 0; count < 3; count++) await school.ping(id);
  const room = { of: () => 10, take: () => 1 };
  const options = { room, lease: seconds(30), token: "a.1", takeOver: false };
  const { claimed, left } = await school.tenant.write((tx) => claim(tx, options));
  expect([claimed.length, left]).toEqual([1, true]);
  const all = await school.deliveries();
  expect(all.map(({ status }) => status).sort()).toEqual(["delivering", "pending", "pending"]);
});

test("a result counts only with the lease it was claimed with", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  const [lost] = (await takes(school, "a.1")).claimed;
  office.clock.advance(seconds(30));
  const [held] = (await takes(school, "b.1")).claimed;
  if (!lost || !held) throw new Error("nothing was claimed");
  const record = (delivery: Attempt["delivery"], outcome: Outcome) =>
    school.tenant.write((tx) => recordAttempts(tx, [attempt(delivery, nowOf(office.clock), outcome)]));

  expect(await record(lost, failed)).toEqual(new Set());
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering", attempts: 0, lease_token: "b.1" });
  expect(await record(held, succeeded)).toEqual(new Set([deliveryId]));
  expect(await record(held, failed)).toEqual(new Set());
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 1 });
  expect(await school.attempts(deliveryId)).toHaveLength(1);
});

test("a lease is lost when it ends, or at once when its process is known to be dead", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await takes(school, "a.1");
  expect((await takes(school, "b.1")).claimed).toEqual([]);
  expect((await takes(school, "a.2", { takeOver: true })).claimed).toEqual([]);
  expect((await takes(school, "b.2", { takeOver: true })).claimed).toMatchObject([{ id: deliveryId, attempt: 1 }]);
  office.clock.advance(seconds(30));
  expect((await takes(school, "b.3")).claimed).toMatchObject([{ id: deliveryId, leaseToken: "b.3" }]);
});

/** What it takes to record how the attempt at one delivery ended. */
async function oneUnderWay() {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint({ url });
  const { deliveryId } = await school.ping(id);
  const [delivery] = (await takes(school, "a.1")).claimed;
  if (delivery === undefined) throw new Error("nothing was claimed");
  const record = (change: Partial<Attempt>) =>
    school.tenant.write((tx) => recordAttempts(tx, [{ ...attempt(delivery, nowOf(office.clock)), ...change }]));
  const change = (columns: Partial<typeof webhookEndpoints.$inferInsert>) =>
    school.tenant.write((tx) =>
      tx
        .update(webhookEndpoints)
        .set({ ...columns, updated_at: tx.now })
        .where(eq(webhookEndpoints.id, id)),
    );
  return { office, school, id, deliveryId, delivery, record, change };
}

const gone: Outcome = { ...failed, status: 410 };
const disablings = ({ tenant }: School) =>
  tenant.read((reader) => reader.select().from(auditLog).where(eq(auditLog.action, "webhook_endpoint.disabled")));

test("410 disables the endpoint, and the audit log says that the dispatcher did it", async () => {
  const { school, id, deliveryId, record } = await oneUnderWay();
  await record({ outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "cancelled", due_at: null });
  expect(await disablings(school)).toMatchObject([
    { actor_kind: "job", actor_id: "webhook-dispatcher", subject_kind: "webhook_endpoint", subject_id: id },
  ]);
});

test("410 with a lease that was lost disables nothing", async () => {
  const { school, id, delivery, record } = await oneUnderWay();
  await record({ delivery: { ...delivery, leaseToken: "lost" }, outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true });
  expect(await disablings(school)).toEqual([]);
});

test("410 from the address before does not disable an endpoint that has a new one", async () => {
  const { office, school, id, deliveryId, record, change } = await oneUnderWay();
  // The delivery was claimed before the change, and sent after it.
  await change({ url: "https://new.test/" });
  office.clock.advance(seconds(1));
  await record({ startedAt: nowOf(office.clock), outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true, url: "https://new.test/" });
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: 1 });
  expect(await disablings(school)).toEqual([]);
});

test("410 of an attempt that began before the endpoint was enabled again does not disable it", async () => {
  const { office, school, id, record, change } = await oneUnderWay();
  const startedAt = nowOf(office.clock);
  office.clock.advance(1);
  await change({ enabled: true });
  await record({ startedAt, outcome: gone });
  expect(await school.endpoint(id)).toMatchObject({ enabled: true });
  expect(await disablings(school)).toEqual([]);
});

test("a failed attempt at an endpoint that was disabled or deleted meanwhile is the last", async () => {
  const now = nowOf(new TestClock());
  for (const columns of [{ enabled: false }, { deleted_at: now }]) {
    const { office, school, deliveryId, record, change } = await oneUnderWay();
    await change(columns);
    await record({ outcome: failed });
    expect(await school.delivery(deliveryId)).toMatchObject({
      status: "cancelled",
      attempts: 1,
      due_at: null,
      finished_at: nowOf(office.clock),
    });
  }
});

test("a delivery is finished when its last attempt ended, however it went", async () => {
  for (const outcome of [succeeded, failed]) {
    const { office, school, deliveryId, delivery, record } = await oneUnderWay();
    const endedAt = shift(nowOf(office.clock), seconds(2));
    await record({ delivery: { ...delivery, attempt: 5 }, endedAt, outcome });
    expect(await school.delivery(deliveryId)).toMatchObject({
      status: outcome === failed ? "failed" : "succeeded",
      finished_at: endedAt,
    });
  }
});

test("release gives back what is still one's own", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  const { claimed } = await takes(school, "a.1");
  await school.tenant.write((tx) => release(tx, [{ id: deliveryId, leaseToken: "other" }]));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
  await school.tenant.write((tx) => release(tx, claimed));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: 0, lease_token: null });
});

test("nextDue is when the first delivery is due, those under way included", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const next = () => school.tenant.read(nextDue);
  const { id } = await school.addEndpoint();
  expect(await next()).toBeNull();
  const began = nowOf(office.clock);
  await school.ping(id);
  expect(await next()).toBe(began);
  office.clock.advance(seconds(3));
  const { claimed } = await takes(school, "a.1");
  expect(await next()).toBe(began);
  const now = nowOf(office.clock);
  await school.tenant.write((tx) =>
    recordAttempts(
      tx,
      claimed.map((delivery) => attempt(delivery, now, failed)),
    ),
  );
  expect(await next()).toBe(shift(now, seconds(1)));
  expect((await takes(school, "a.2")).next).toBe(shift(now, seconds(1)));
});

/** What SQLite would do, line by line. */
async function planOf(reader: Reader<"tenant">, query: SQL): Promise<string> {
  const rows = await reader.values<[number, number, number, string]>(sql`explain query plan ${query}`);
  return rows.map((row) => row[3]).join("\n");
}

test("what is due is found by the partial indexes, without a sort", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { id } = await school.addEndpoint();
  await school.tenant.read(async (reader) => {
    const timed = Object.assign(Object.create(reader) as typeof reader, { now: nowOf(office.clock) });
    const plan = await planOf(reader, dueTo(timed, id, 8).getSQL());
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
    await outlook(explaining);
    expect(plans).toEqual([
      expect.stringMatching(/^SCAN deliveries USING INDEX deliveries_leased$/),
      expect.stringMatching(/^SCAN deliveries USING COVERING INDEX deliveries_due$/),
    ]);
  });
});

test("whatever the order of success and failure, there are five attempts at most and what has ended stays so", async () => {
  const office = await newOffice();
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
        const school = await office.newSchool();
        let calls = 0;
        const { sent, send } = newNetwork(() => script[calls++] ?? failed);
        const dispatcher = office.dispatcher(send);
        const { id } = await school.addEndpoint();
        const { deliveryId } = await school.ping(id);
        const final = ["succeeded", "failed", "cancelled"];
        let ended: string | undefined;
        for (const wait of [0, ...waits, 1000, 1000, 1000, 1000, 1000]) {
          office.clock.advance(seconds(wait));
          await dispatcher.settle();
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
}, 20_000);
