import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { seconds } from "../../src/core/clock.ts";
import { deliveries, webhookEndpoints } from "../../src/events/events.tables.ts";
import { cancelDeliveries } from "../../src/events/outbox.ts";
import {
  backlog,
  deliveryIds,
  failed,
  hangingNetwork,
  hung,
  newNetwork,
  newOffice,
  nowOf,
  succeeded,
} from "./office.ts";

test("a delivery is sent once, at once, and recorded", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send);
  const { id } = await school.addEndpoint();

  const { deliveryId } = await school.ping(id);
  await dispatcher.settle();
  await dispatcher.settle();

  expect(deliveryIds(sent)).toEqual([deliveryId]);
  expect(await school.delivery(deliveryId)).toMatchObject({
    status: "succeeded",
    attempts: 1,
    due_at: null,
    lease_token: null,
    finished_at: nowOf(office.clock),
  });
  expect(await school.attempts(deliveryId)).toMatchObject([{ number: 1, status_code: 204, error_class: null }]);
  expect(dispatcher.stats()).toEqual({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 0 });
});

test("a running dispatcher sends after the commit without being asked", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { promise, resolve } = Promise.withResolvers<void>();
  const dispatcher = office.dispatcher(
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

test("a failing delivery is tried again after 1, 5, 25 and 125 seconds, to the second, and then has failed", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork(() => {
    office.clock.advance(300); // an attempt takes its time; the delay counts from its end
    return failed;
  });
  const dispatcher = office.dispatcher(send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.settle();

  for (const [index, delay] of [1, 5, 25, 125].entries()) {
    expect(await school.delivery(deliveryId)).toMatchObject({ status: "pending", attempts: index + 1 });
    office.clock.advance(seconds(delay) - 1);
    await dispatcher.settle();
    expect(sent).toHaveLength(index + 1);
    office.clock.advance(1);
    await dispatcher.settle();
    expect(sent).toHaveLength(index + 2);
  }

  expect(await school.delivery(deliveryId)).toMatchObject({ status: "failed", attempts: 5, due_at: null });
  expect(office.logged).toEqual(["A delivery failed. "]);
  office.clock.advance(seconds(100_000));
  await dispatcher.settle();
  expect(sent).toHaveLength(5);
  expect(new Set(deliveryIds(sent))).toEqual(new Set([deliveryId]));
  const attempts = await school.attempts(deliveryId);
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test("the timer rings when a retry is due", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { send } = newNetwork((_, count) => {
    if (count === 2) resolve();
    // By this clock all but a moment of the second has passed when the alarm is set.
    office.clock.advance(count === 1 ? 0 : 990);
    return count === 1 ? failed : succeeded;
  });
  const dispatcher = office.dispatcher(send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.settle();
  office.clock.advance(990);
  await dispatcher.start();
  office.clock.advance(20);
  await promise;
  await dispatcher.stop(seconds(5));
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 2 });
});

test("410 disables the endpoint and cancels what it had coming", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const dispatcher = office.dispatcher(newNetwork(() => ({ ...failed, status: 410 })).send, {
    caps: { perEndpoint: 1 },
  });
  const gone = await school.addEndpoint();
  await school.ping(gone.id);
  await school.ping(gone.id);
  await dispatcher.settle();
  office.clock.advance(seconds(1000));
  await dispatcher.settle();

  expect(await school.endpoint(gone.id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
  expect(office.logged.map((line) => line.trim())).toEqual(["A webhook endpoint was disabled."]);
  const ended = await school.deliveries();
  expect(ended.map(({ status, attempts }) => `${status} after ${attempts}`).sort()).toEqual([
    "cancelled after 0",
    "cancelled after 1",
  ]);
});

test("deliveries of disabled and deleted endpoints are cancelled, never sent", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send);
  const disabled = await school.addEndpoint();
  const deleted = await school.addEndpoint();
  const cancelled = await school.addEndpoint();
  for (const { id } of [disabled, deleted, cancelled]) await school.ping(id);
  await school.tenant.write(async (tx) => {
    await tx.update(webhookEndpoints).set({ enabled: false }).where(eq(webhookEndpoints.id, disabled.id));
    await tx.update(webhookEndpoints).set({ deleted_at: tx.now }).where(eq(webhookEndpoints.id, deleted.id));
    await cancelDeliveries(tx, cancelled.id);
  });
  await dispatcher.settle();

  expect(sent).toEqual([]);
  for (const delivery of await school.deliveries())
    expect(delivery).toMatchObject({ status: "cancelled", due_at: null, finished_at: nowOf(office.clock) });
});

test("after a crash between the POST and its record the next boot sends the same delivery again", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const crashed = office.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void crashed.settle();
  await hanging.whenSent(1);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering", attempts: 0 });

  const { sent, send } = newNetwork();
  const next = office.dispatcher(send);
  expect(await next.sweep()).toBe(1);
  await next.settle();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded", attempts: 1 });

  // The first was not dead after all: what it has to say comes too late.
  hanging.answer();
  await office.whenLogged("taken over");
  expect(await school.attempts(deliveryId)).toHaveLength(1);
});

test("a start finds what the last one left, by what the checkpoint noted", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const crashed = office.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void crashed.settle();
  await hanging.whenSent(1);
  office.clock.advance(seconds(6));
  await office.storage.checkpointIdle();

  const { sent, send } = newNetwork();
  const next = office.dispatcher(send);
  expect(await next.sweep()).toBe(1);
  await next.settle();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
});

test("beside others on the same database, a lease is respected until it ends", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const first = office.dispatcher(hanging.send, { alone: false });
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  void first.settle();
  await hanging.whenSent(1);

  const { sent, send } = newNetwork();
  const second = office.dispatcher(send, { alone: false });
  office.clock.advance(seconds(30) - 1);
  second.wake(school.id);
  await second.settle();
  expect(sent).toHaveLength(0);
  office.clock.advance(1);
  second.wake(school.id);
  await second.settle();
  expect(deliveryIds(sent)).toEqual([deliveryId]);
});

test("no more are under way than the caps allow, at one endpoint and in all", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let [inFlight, most] = [0, 0];
  const atEndpoint = new Map<string, number>();
  let mostAtEndpoint = 0;
  const { sent, send } = newNetwork(async ({ body }) => {
    const endpoint: string = JSON.parse(body).event.data.endpoint_id;
    inFlight += 1;
    atEndpoint.set(endpoint, (atEndpoint.get(endpoint) ?? 0) + 1);
    most = Math.max(most, inFlight);
    mostAtEndpoint = Math.max(mostAtEndpoint, atEndpoint.get(endpoint) ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    atEndpoint.set(endpoint, (atEndpoint.get(endpoint) ?? 0) - 1);
    return succeeded;
  });
  const dispatcher = office.dispatcher(send, { caps: { inFlight: 12, perEndpoint: 4 } });
  await backlog(school, 3, 30);
  await dispatcher.settle();

  expect(sent).toHaveLength(90);
  expect([most, mostAtEndpoint]).toEqual([6, 4]);
  expect(new Set(deliveryIds(sent)).size).toBe(90);
});

test("a backlog is worked off in few transactions, and each delivery is sent once", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  let writes = 0;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => {
      writes += 1;
      return school.tenant.write(body);
    },
  };
  const dispatcher = office.dispatcher(send, { tenant: () => tenant });
  await backlog(school, 2, 200);
  await dispatcher.settle();

  expect(new Set(deliveryIds(sent)).size).toBe(400);
  expect(sent).toHaveLength(400);
  expect(writes).toBeLessThan(60);
});

test("endpoints that hang slow nobody else, in their own organization or another", async () => {
  const office = await newOffice();
  const [near, far] = [await office.newSchool(), await office.newSchool()];
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
  // Fewer slots than endpoints that hang: they all get in before they are known. A second passes in a tenth of one.
  const dispatcher = office.dispatcher(send, {
    caps: { inFlight: 8, perEndpoint: 4 },
    stopwatch: () => 10 * performance.now(),
  });
  for (const id of await backlog(near, 12, 20)) stuck.add(id);
  const healthy = [...(await backlog(far, 1, 40)), ...(await backlog(near, 1, 40))];
  const settled = dispatcher.settle();
  await allServed.promise;
  expect(sent.length).toBeLessThanOrEqual(80 + 12);

  deadline.resolve();
  await settled;
  const all = [...(await near.deliveries()), ...(await far.deliveries())];
  const statuses = all.flatMap(({ endpoint_id: endpointId, status }) => (healthy.includes(endpointId) ? [status] : []));
  expect(statuses).toEqual(Array.from({ length: 80 }, () => "succeeded"));
}, 20_000);

test("attempts at endpoints that hang begin one after the other, without waiting for one to end", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let passed = 0;
  const [release, allBegun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { sent, send } = newNetwork(async (_, count) => {
    if (count <= 3) {
      passed += 2000;
      return hung;
    }
    if (count === 6) allBegun.resolve();
    await release.promise;
    return succeeded;
  });
  const dispatcher = office.dispatcher(send, { stopwatch: () => passed + performance.now() });
  await backlog(school, 3, 1);
  await dispatcher.settle();
  office.clock.advance(seconds(1));
  const settled = dispatcher.settle();
  await allBegun.promise;
  expect(sent).toHaveLength(6);
  release.resolve();
  await settled;
});

test("an organization whose endpoints all hang holds back no other, however many they are", async () => {
  const office = await newOffice();
  const [stuck, busy, quiet] = [await office.newSchool(), await office.newSchool(), await office.newSchool()];
  const [deadline, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const theirs = new Set<string>();
  const served = { count: 0, tell: () => {} };
  const { send } = newNetwork(async ({ body }) => {
    if (theirs.has(JSON.parse(body).event.data.endpoint_id)) {
      if (dispatcher.stats().slow === 2) begun.resolve();
      await deadline.promise;
      return hung;
    }
    served.count += 1;
    served.tell();
    return succeeded;
  });
  const dispatcher = office.dispatcher(send, {
    caps: { inFlight: 4, slow: 4, waiting: 32, perEndpoint: 2 },
    stopwatch: () => 10 * performance.now(),
  });
  // New endpoints, which count as quick: they fill both slow and quick slots.
  for (const school of [stuck, busy]) for (const id of await backlog(school, 12, 2)) theirs.add(id);
  const settled = dispatcher.settle();
  await begun.promise;

  const answered = Promise.withResolvers<void>();
  served.tell = () => served.count === 3 && answered.resolve();
  await backlog(quiet, 1, 3);
  await answered.promise;
  expect((await quiet.deliveries()).every(({ attempts }) => attempts <= 1)).toBe(true);

  deadline.resolve();
  await settled;
}, 20_000);

test("nothing is begun at an endpoint as it was, once it was changed", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const first = Promise.withResolvers<void>();
  const { sent, send, whenSent } = newNetwork(async (_, count) => {
    if (count === 1) await first.promise;
    return succeeded;
  });
  const dispatcher = office.dispatcher(send, { caps: { inFlight: 1 } });
  const endpoints = await backlog(school, 3, 1);
  await dispatcher.start();
  await whenSent(1);
  // The others are claimed, and wait for the only slot.
  expect(dispatcher.stats()).toMatchObject({ inFlight: 1, waiting: 2 });
  const [moved, deleted] = endpoints.filter((id) => !sent[0]?.body.includes(id));
  if (moved === undefined || deleted === undefined) throw new Error("Two endpoints wait.");

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

test("an endpoint that is changed while its deliveries are being claimed is not begun as it was", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  const moved = await school.addEndpoint();
  await school.ping(moved.id);
  let isMoved = false;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: async (body) => {
      const result = await school.tenant.write(body);
      // Between the claim's commit and what is made of it.
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
  const dispatcher = office.dispatcher(send, { tenant: () => tenant });
  dispatcher.wake(school.id);
  await dispatcher.settle();
  expect(sent.map(({ url }) => url)).toEqual(["https://moved.test/"]);
});

test("a lease must be longer than an attempt can take", async () => {
  const office = await newOffice();
  expect(() => office.dispatcher(newNetwork().send, { lease: seconds(10), timeout: seconds(10) })).toThrow("lease");
});

test("an endpoint that let a deadline pass is tried alone until it answers", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let open = 0;
  let most = 0;
  let answers = false;
  const { send } = newNetwork(async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return answers ? succeeded : hung;
  });
  const dispatcher = office.dispatcher(send);
  await backlog(school, 1, 20);
  await dispatcher.settle();
  expect(most).toBe(1);
  answers = true;
  office.clock.advance(seconds(1));
  await dispatcher.settle();
  expect(most).toBeGreaterThan(1);
  expect((await school.deliveries()).every(({ status }) => status === "succeeded")).toBe(true);
});

test("a stop begins nothing, waits for what is under way and gives back what is not", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = office.dispatcher(hanging.send, { caps: { inFlight: 1 } });
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

test("a stop leaves what does not end in time to its lease", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = office.dispatcher(hanging.send);
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.start();
  await hanging.whenSent(1);
  await dispatcher.stop(10);
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
});

test("a tenant that can't be opened is skipped, and the others go on", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send);
  const missing = "01890a5d-ac96-774b-bcce-b302099a8057" as typeof school.id;
  const { id } = await school.addEndpoint();
  dispatcher.wake(missing);
  await school.ping(id);
  await dispatcher.settle();
  expect(sent).toHaveLength(1);
  expect(office.logged.some((line) => line.includes("can't be used"))).toBe(true);
});

test("results that can't be written are kept and written later", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  let broken = false;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.write(body)),
  };
  const dispatcher = office.dispatcher(
    async (outgoing) => {
      broken = true;
      return send(outgoing);
    },
    { tenant: () => tenant },
  );
  const { id } = await school.addEndpoint();
  const { deliveryId } = await school.ping(id);
  await dispatcher.settle();
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "delivering" });
  broken = false;
  dispatcher.wake(school.id);
  await dispatcher.settle();
  expect(await school.delivery(deliveryId)).toMatchObject({ status: "succeeded" });
  expect(sent).toHaveLength(1);
});

test("looking into an organization where nothing is due writes nothing", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let writes = 0;
  const tenant: typeof school.tenant = {
    ...school.tenant,
    write: (body) => {
      writes += 1;
      return school.tenant.write(body);
    },
  };
  const dispatcher = office.dispatcher(newNetwork().send, { tenant: () => tenant });
  dispatcher.wake(school.id);
  await dispatcher.settle();
  expect(writes).toBe(0);
});

test("an endpoint whose secret can't be read fails by itself", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send);
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
  await dispatcher.settle();
  expect(sent).toHaveLength(1);
  expect(await school.attempts(deliveryId)).toMatchObject([{ error_class: "secret", status_code: null }]);
  const [pending] = await school.tenant.read((reader) =>
    reader.select().from(deliveries).where(eq(deliveries.id, deliveryId)),
  );
  expect(pending).toMatchObject({ status: "pending", attempts: 1 });
});
