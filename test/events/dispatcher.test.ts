import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { seconds } from "../../src/core/clock.ts";
import { deliveries, webhookEndpoints } from "../../src/events/events.tables.ts";
import { cancelDeliveries } from "../../src/events/outbox.ts";
import { backlog, deliveryIds, failed, hangingNetwork, hung, newNetwork, newSetup, nowOf, succeeded } from "./setup.ts";

test("a delivery is sent immediately and only once, and its result is recorded", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const { id } = await school.addEndpoint();

  const { deliveryId } = await school.ping(id);
  await dispatcher.sendDue();
  await dispatcher.sendDue();

  expect(deliveryIds(sent)).toEqual([deliveryId]);
  expect(await school.delivery(deliveryId)).toMatchObject({
    status: "succeeded",
    attempts: 1,
    due_at: null,
    lease_token: null,
    finished_at: nowOf(setup.clock),
  });
  expect(await school.attempts(deliveryId)).toMatchObject([{ number: 1, status_code: 204, error_class: null }]);
  expect(dispatcher.stats()).toEqual({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 0 });
});

test("a running dispatcher sends after the commit", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { promise, resolve } = Promise.withResolvers<void>();
  const dispatcher = setup.dispatcher(
    newNetwork(() => {
      resolve();
      return succeeded;
    }).send,
  );
  const { id } = await school.addEndpoint();
  await dispatcher.start();
  await school.ping(id);
  await promise;
  await dispatcher.stop(seconds(5));
  expect(await school.deliveries()).toMatchObject([{ status: "succeeded" }]);
});

test("a failed attempt is retried after 1, 5, 25 and 125 seconds, to the second; after the last attempt the delivery is failed", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork(() => {
    setup.clock.advance(300); // the delay counts from the end of an attempt
    return failed;
  });
  const dispatcher = setup.dispatcher(send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.sendDue();

  for (const [index, delay] of [1, 5, 25, 125].entries()) {
    expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: index + 1 });
    setup.clock.advance(seconds(delay) - 1);
    await dispatcher.sendDue();
    expect(sent).toHaveLength(index + 1);
    setup.clock.advance(1);
    await dispatcher.sendDue();
    expect(sent).toHaveLength(index + 2);
  }

  expect(await school.delivery(deliveryId)).toMatchObject({ status: "failed", attempts: 5, due_at: null });
  expect(setup.logged).toEqual(["A delivery failed. "]);
  setup.clock.advance(seconds(100_000));
  await dispatcher.sendDue();
  expect(sent).toHaveLength(5);
  expect(new Set(deliveryIds(sent))).toEqual(new Set([deliveryId]));
  const attempts = await school.attempts(deliveryId);
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test("the timer fires when a retry is due", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { send } = newNetwork((_, count) => {
    if (count === 2) resolve();
    // When the timer is set, 990 ms of the second have passed on this clock.
    setup.clock.advance(count === 1 ? 0 : 990);
    return count === 1 ? failed : succeeded;
  });
  const dispatcher = setup.dispatcher(send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.sendDue();
  setup.clock.advance(990);
  await dispatcher.start();
  setup.clock.advance(20);
  await promise;
  await dispatcher.stop(seconds(5));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 2 });
});

test("410 disables the endpoint and cancels its pending deliveries", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const dispatcher = setup.dispatcher(newNetwork(() => ({ ...failed, status: 410 })).send, {
    caps: { perEndpoint: 1 },
  });
  const gone = await school.addEndpoint();
  await school.ping(gone.id);
  await school.ping(gone.id);
  await dispatcher.sendDue();
  setup.clock.advance(seconds(1000));
  await dispatcher.sendDue();

  expect(await school.endpoint(gone.id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
  expect(setup.logged.map((line) => line.trim())).toEqual(["A webhook endpoint was disabled."]);
  const ended = await school.deliveries();
  expect(ended.map(({ status, attempts }) => `${status} after ${attempts}`).sort()).toEqual([
    "cancelled after 0",
    "cancelled after 1",
  ]);
});

test("deliveries to disabled and deleted endpoints are cancelled, not sent", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const disabled = await school.addEndpoint();
  const deleted = await school.addEndpoint();
  const cancelled = await school.addEndpoint();
  for (const { id } of [disabled, deleted, cancelled]) await school.ping(id);
  await school.tenant.write(async (tx) => {
    await tx.update(webhookEndpoints).set({ enabled: false }).where(eq(webhookEndpoints.id, disabled.id));
    await tx.update(webhookEndpoints).set({ deleted_at: tx.now }).where(eq(webhookEndpoints.id, deleted.id));
    await cancelDeliveries(tx, cancelled.id);
  });
  await dispatcher.sendDue();

  expect(sent).toEqual([]);
  for (const delivery of await school.deliveries())
    expect(delivery).toMatchObject({ status: "cancelled", due_at: null, finished_at: nowOf(setup.clock) });
});

test("after a crash between the POST and its record, the next start sends the same delivery again", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const crashed = setup.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void crashed.sendDue();
  await hanging.whenSent(1);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering", attempts: 0 });

  const { sent, send } = newNetwork();
  const next = setup.dispatcher(send);
  expect(await next.sweep()).toBe(1);
  await next.sendDue();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 1 });

  // The first dispatcher still runs: its result arrives too late.
  hanging.answer();
  await setup.whenLogged("taken over");
  expect(await school.attempts(deliveryId)).toHaveLength(1);
});

test("the next start finds unfinished deliveries by the wake-up time that the checkpoint stored", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const crashed = setup.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void crashed.sendDue();
  await hanging.whenSent(1);
  setup.clock.advance(seconds(6));
  await setup.storage.checkpointIdle();

  const { sent, send } = newNetwork();
  const next = setup.dispatcher(send);
  expect(await next.sweep()).toBe(1);
  await next.sendDue();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
});

test("with other processes on the same database, a lease is respected until it ends", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const first = setup.dispatcher(hanging.send, { exclusive: false });
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void first.sendDue();
  await hanging.whenSent(1);

  const { sent, send } = newNetwork();
  const second = setup.dispatcher(send, { exclusive: false });
  setup.clock.advance(seconds(30) - 1);
  second.wake(school.id);
  await second.sendDue();
  expect(sent).toHaveLength(0);
  setup.clock.advance(1);
  second.wake(school.id);
  await second.sendDue();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
});

test("with other processes on the same database, each attempt is sent to the endpoint as it is then", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const change = (columns: Partial<typeof webhookEndpoints.$inferInsert>) =>
    school.tenant.write((tx) => tx.update(webhookEndpoints).set(columns).where(eq(webhookEndpoints.id, id)));
  /** What another process changes while the first of three deliveries is under way: it wakes nothing here. */
  let elsewhere: Promise<unknown> = Promise.resolve();
  const { sent, send } = newNetwork(async () => {
    if (sent.length === 1) elsewhere = change({ url: "https://moved.test/" });
    if (sent.length === 2) elsewhere = change({ enabled: false });
    await elsewhere;
    return succeeded;
  });
  const dispatcher = setup.dispatcher(send, { exclusive: false, caps: { perEndpoint: 1 } });
  const pinged = [await school.ping(id), await school.ping(id), await school.ping(id)];
  await dispatcher.sendDue();
  expect(sent.map(({ url }) => url)).toEqual(["https://receiver.test/", "https://moved.test/"]);
  const states = await Promise.all(pinged.map(({ deliveryId }) => school.delivery(deliveryId)));
  expect(states.map(({ status, attempts }) => `${status} ${attempts}`).sort()).toEqual([
    "cancelled 0",
    "succeeded 1",
    "succeeded 1",
  ]);
});

test("a delivery that another process has claimed and left is sent when its lease ends", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const dead = setup.dispatcher(hanging.send, { exclusive: false });
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void dead.sendDue();
  await hanging.whenSent(1);

  const { sent, send } = newNetwork();
  const living = setup.dispatcher(send, { exclusive: false });
  living.wake(school.id);
  await living.sendDue();
  expect(living.stats().scheduled).toBe(1);
  setup.clock.advance(seconds(30));
  await living.sendDue();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
});

test("no more attempts are in flight than the caps allow, at one endpoint and in total", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let [inFlight, max] = [0, 0];
  const atEndpoint = new Map<string, number>();
  let maxAtEndpoint = 0;
  const { sent, send } = newNetwork(async ({ body }) => {
    const endpoint: string = JSON.parse(body).event.data.endpoint_id;
    inFlight += 1;
    atEndpoint.set(endpoint, (atEndpoint.get(endpoint) ?? 0) + 1);
    max = Math.max(max, inFlight);
    maxAtEndpoint = Math.max(maxAtEndpoint, atEndpoint.get(endpoint) ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    atEndpoint.set(endpoint, (atEndpoint.get(endpoint) ?? 0) - 1);
    return succeeded;
  });
  const dispatcher = setup.dispatcher(send, { caps: { inFlight: 12, perEndpoint: 4 } });
  await backlog(school, 3, 30);
  await dispatcher.sendDue();

  expect(sent).toHaveLength(90);
  expect([max, maxAtEndpoint]).toEqual([6, 4]);
  expect(new Set(deliveryIds(sent)).size).toBe(90);
});

test("a backlog is sent in few transactions, each delivery once", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  let writes = 0;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => {
      writes += 1;
      return school.tenant.write(body);
    },
  };
  const dispatcher = setup.dispatcher(send, { tenant: () => tenant });
  await backlog(school, 2, 200);
  await dispatcher.sendDue();

  expect(new Set(deliveryIds(sent)).size).toBe(400);
  expect(sent).toHaveLength(400);
  expect(writes).toBeLessThan(60);
});

test("endpoints that hang do not delay other endpoints of the same or another organization", async () => {
  const setup = await newSetup();
  const [near, far] = [await setup.newSchool(), await setup.newSchool()];
  const [deadline, allServed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stuck = new Set<string>();
  let served = 0;
  const { sent, send } = newNetwork(async ({ body }) => {
    if (stuck.has(JSON.parse(body).event.data.endpoint_id)) {
      await deadline.promise;
      return hung;
    }
    served += 1;
    if (served === 80) allServed.resolve();
    return succeeded;
  });
  // There are fewer slots than hanging endpoints, which do not count as slow yet. The stopwatch runs ten times as fast.
  const dispatcher = setup.dispatcher(send, {
    caps: { inFlight: 8, perEndpoint: 4 },
    stopwatch: () => 10 * performance.now(),
  });
  for (const id of await backlog(near, 12, 20)) stuck.add(id);
  const healthy = [...(await backlog(far, 1, 40)), ...(await backlog(near, 1, 40))];
  const sending = dispatcher.sendDue();
  await allServed.promise;
  expect(sent.length).toBeLessThanOrEqual(80 + 12);

  deadline.resolve();
  await sending;
  const all = [...(await near.deliveries()), ...(await far.deliveries())];
  const statuses = all.flatMap(({ endpoint_id: endpointId, status }) => (healthy.includes(endpointId) ? [status] : []));
  expect(statuses).toEqual(Array.from({ length: 80 }, () => "succeeded"));
}, 120_000);

test("attempts at endpoints that hang start one after the other, before the previous one ends", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let passed = 0;
  const [release, allStarted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { sent, send } = newNetwork(async (_, count) => {
    if (count <= 3) {
      passed += 2000;
      return hung;
    }
    if (count === 6) allStarted.resolve();
    await release.promise;
    return succeeded;
  });
  const dispatcher = setup.dispatcher(send, { stopwatch: () => passed + performance.now() });
  await backlog(school, 3, 1);
  await dispatcher.sendDue();
  setup.clock.advance(seconds(1));
  const sending = dispatcher.sendDue();
  await allStarted.promise;
  expect(sent).toHaveLength(6);
  release.resolve();
  await sending;
});

test("an organization whose endpoints all hang does not delay others, with any number of endpoints", async () => {
  const setup = await newSetup();
  const [stuck, busy, quiet] = [await setup.newSchool(), await setup.newSchool(), await setup.newSchool()];
  const [deadline, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const theirs = new Set<string>();
  const served = { count: 0, notify: () => {} };
  const { send } = newNetwork(async ({ body }) => {
    if (theirs.has(JSON.parse(body).event.data.endpoint_id)) {
      if (dispatcher.stats().slow === 2) started.resolve();
      await deadline.promise;
      return hung;
    }
    served.count += 1;
    served.notify();
    return succeeded;
  });
  const dispatcher = setup.dispatcher(send, {
    caps: { inFlight: 4, slow: 4, waiting: 32, perEndpoint: 2 },
    stopwatch: () => 10 * performance.now(),
  });
  // New endpoints count as quick, so they fill the slow and the quick slots.
  for (const school of [stuck, busy]) for (const id of await backlog(school, 12, 2)) theirs.add(id);
  const sending = dispatcher.sendDue();
  await started.promise;

  const answered = Promise.withResolvers<void>();
  served.notify = () => served.count === 3 && answered.resolve();
  await backlog(quiet, 1, 3);
  await answered.promise;
  expect((await quiet.deliveries()).every(({ attempts }) => attempts <= 1)).toBe(true);

  deadline.resolve();
  await sending;
}, 120_000);

test("no attempt starts with the old URL of an endpoint that was changed", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const first = Promise.withResolvers<void>();
  const { sent, send, whenSent } = newNetwork(async (_, count) => {
    if (count === 1) await first.promise;
    return succeeded;
  });
  const dispatcher = setup.dispatcher(send, { caps: { inFlight: 1 } });
  const endpoints = await backlog(school, 3, 1);
  await dispatcher.start();
  await whenSent(1);
  // The other two are claimed and wait for the only slot.
  expect(dispatcher.stats()).toMatchObject({ inFlight: 1, waiting: 2 });
  const [moved, deleted] = endpoints.filter((id) => !sent[0]?.body.includes(id));
  if (moved === undefined || deleted === undefined) throw new Error("Fewer than two endpoints wait.");

  await school.tenant.write(async (tx) => {
    await tx.update(webhookEndpoints).set({ url: "https://moved.test/" }).where(eq(webhookEndpoints.id, moved));
    tx.due(moved);
    await tx.update(webhookEndpoints).set({ deleted_at: tx.now }).where(eq(webhookEndpoints.id, deleted));
    await cancelDeliveries(tx, deleted);
  });
  first.resolve();
  await whenSent(2);
  await dispatcher.stop(seconds(5));

  expect(sent.map(({ url }) => url)).toEqual(["https://receiver.test/", "https://moved.test/"]);
  const all = await school.deliveries();
  expect(all.find(({ endpoint_id: endpointId }) => endpointId === moved)).toMatchObject({
    status: "succeeded",
    attempts: 1,
  });
  expect(all.find(({ endpoint_id: endpointId }) => endpointId === deleted)).toMatchObject({
    status: "cancelled",
    attempts: 0,
  });
});

test("no attempt starts with the old URL of an endpoint that was changed during the claim", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const moved = await school.addEndpoint();
  await school.ping(moved.id);
  let isMoved = false;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: async (body) => {
      const result = await school.tenant.write(body);
      // Between the claim's commit and the dispatcher's use of it.
      if (!isMoved) {
        isMoved = true;
        await school.tenant.write(async (tx) => {
          await tx
            .update(webhookEndpoints)
            .set({ url: "https://moved.test/" })
            .where(eq(webhookEndpoints.id, moved.id));
          tx.due(moved.id);
        });
      }
      return result;
    },
  };
  const dispatcher = setup.dispatcher(send, { tenant: () => tenant });
  dispatcher.wake(school.id);
  await dispatcher.sendDue();
  expect(sent.map(({ url }) => url)).toEqual(["https://moved.test/"]);
});

test("a lease must be longer than the timeout", async () => {
  const setup = await newSetup();
  expect(() => setup.dispatcher(newNetwork().send, { lease: seconds(10), timeout: seconds(10) })).toThrow("lease");
});

test("an endpoint that timed out gets one attempt at a time until it responds", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let open = 0;
  let max = 0;
  let answers = false;
  const { send } = newNetwork(async () => {
    open += 1;
    max = Math.max(max, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return answers ? succeeded : hung;
  });
  const dispatcher = setup.dispatcher(send);
  await backlog(school, 1, 20);
  await dispatcher.sendDue();
  expect(max).toBe(1);
  answers = true;
  setup.clock.advance(seconds(1));
  await dispatcher.sendDue();
  expect(max).toBeGreaterThan(1);
  expect((await school.deliveries()).every(({ status }) => status === "succeeded")).toBe(true);
});

test("stop starts no attempt, waits for attempts in flight and releases the other deliveries", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send, { caps: { inFlight: 1 } });
  await backlog(school, 3, 1);
  await dispatcher.start();
  await hanging.whenSent(1);
  expect(dispatcher.stats().waiting).toBe(2);
  const stopped = dispatcher.stop(seconds(5));
  hanging.answer();
  await stopped;

  expect(hanging.sent).toHaveLength(1);
  const left = await school.deliveries();
  expect(left.map(({ status }) => status).sort()).toEqual(["pending", "pending", "succeeded"]);
  expect(left.every(({ lease_token: leaseToken }) => leaseToken === null)).toBe(true);
});

test("stop does not wait beyond its deadline, and a delivery in flight then keeps its lease", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.start();
  await hanging.whenSent(1);
  await dispatcher.stop(10);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
});

test("a tenant that can't be opened is skipped, and the others are served", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const missing = "01890a5d-ac96-774b-bcce-b302099a8057" as typeof school.id;
  const { id } = await school.addEndpoint();
  dispatcher.wake(missing);
  await school.ping(id);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(1);
  expect(setup.logged.some((line) => line.includes("can't be used"))).toBe(true);
});

test("results that can't be written are kept and written later", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  let broken = false;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.write(body)),
  };
  const dispatcher = setup.dispatcher(
    async (outgoing) => {
      broken = true;
      return send(outgoing);
    },
    { tenant: () => tenant },
  );
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.sendDue();
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
  broken = false;
  dispatcher.wake(school.id);
  await dispatcher.sendDue();
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded" });
  expect(sent).toHaveLength(1);
});

test("checking an organization without due deliveries writes nothing", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let writes = 0;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => {
      writes += 1;
      return school.tenant.write(body);
    },
  };
  const dispatcher = setup.dispatcher(newNetwork().send, { tenant: () => tenant });
  dispatcher.wake(school.id);
  await dispatcher.sendDue();
  expect(writes).toBe(0);
});

test("an endpoint whose secret can't be unsealed does not affect others", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const unreadable = await school.addEndpoint();
  const fine = await school.addEndpoint();
  await school.tenant.write(async (tx) => {
    const [other] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, fine.id));
    await tx
      .update(webhookEndpoints)
      .set({ primary_secret: other?.primary_secret ?? "" })
      .where(eq(webhookEndpoints.id, unreadable.id));
  });
  const { deliveryId } = await school.ping(unreadable.id);
  await school.ping(fine.id);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(1);
  expect(await school.attempts(deliveryId)).toMatchObject([{ error_class: "secret", status_code: null }]);
  const [pending] = await school.tenant.read((reader) =>
    reader.select().from(deliveries).where(eq(deliveries.id, deliveryId)),
  );
  expect(pending).toMatchObject({ status: "pending", attempts: 1 });
});
