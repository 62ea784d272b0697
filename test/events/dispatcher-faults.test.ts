/** The dispatcher under faults: a stop at any time, a wake at an unlucky time, records that can't be used. */
import { expect, spyOn, test } from "bun:test";
import { eq } from "drizzle-orm";
import { seconds, shift } from "../../src/core/clock.ts";
import { type DeliveryId, newId, type OrgId } from "../../src/core/ids.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import type { Tenant } from "../../src/storage/store.ts";
import {
  backlog,
  deliveryIds,
  failed,
  hangingNetwork,
  hung,
  newNetwork,
  newSetup,
  type School,
  type Setup,
  succeeded,
} from "./setup.ts";

/** Returns the school's tenant with some of its methods replaced. */
const withPart = ({ tenant }: School, part: Partial<Tenant>): Tenant => ({ ...tenant, ...part });

const statuses = async (school: School) => (await school.deliveries()).map(({ status }) => status).sort();

test("deliveries that are claimed during a stop are released at once", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const [id] = await backlog(school, 1, 2);
  if (id === undefined) throw new Error("There is no endpoint.");
  const [committed, mayReturn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tenant = withPart(school, {
    write: async (body) => {
      const result = await school.tenant.write(body);
      committed.resolve();
      await mayReturn.promise;
      return result;
    },
  });
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send, { tenant: () => tenant });
  await dispatcher.start();
  await committed.promise;
  expect(await statuses(school)).toEqual(["delivering", "pending"]);
  const stopped = dispatcher.stop(seconds(60)); // longer than this test's timeout
  mayReturn.resolve();
  await stopped;
  expect(sent).toEqual([]);
  expect(await statuses(school)).toEqual(["pending", "pending"]);
});

test("stop ends sendDue, and sendDue does nothing after it", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send);
  const [id] = await backlog(school, 1, 1);
  const sending = dispatcher.sendDue();
  await hanging.whenSent(1);
  dispatcher.wake(school.id);
  const stopped = dispatcher.stop(seconds(5));
  dispatcher.wake(school.id);
  hanging.answer();
  await stopped;
  await sending;
  if (id !== undefined) await school.ping(id);
  await dispatcher.sendDue();
  expect(hanging.sent).toHaveLength(1);
});

test("a wake at any point of the end of a check is not lost", async () => {
  const setup = await newSetup();
  let checks = 0;
  const nothing = async () => {
    checks += 1;
    return { pending: null, delivering: null };
  };
  const tenant = { id: newId<"organization">(setup.clock), read: nothing } as unknown as Tenant;
  const dispatcher = setup.dispatcher(newNetwork().send, { tenant: () => tenant, wakeUps: async () => [] });
  await dispatcher.start();
  const realSetImmediate = globalThis.setImmediate;
  const turn = () => new Promise((resolve) => realSetImmediate(resolve));
  for (let step = 0; step < 16; step++) {
    const before = checks;
    const woken = Promise.withResolvers<void>();
    // The check ends in the same turn of the event loop as the pause after it. Each round wakes at another microtask.
    const spy = spyOn(globalThis, "setImmediate").mockImplementationOnce(((resume: () => void) =>
      realSetImmediate(async () => {
        resume();
        for (let left = step; left > 0; left--) await undefined;
        dispatcher.wake(tenant.id);
        woken.resolve();
      })) as unknown as typeof setImmediate);
    dispatcher.wake(tenant.id);
    await woken.promise;
    spy.mockRestore();
    for (let turns = 0; turns < 3; turns++) await turn();
    expect(checks - before).toBe(2);
    expect(dispatcher.stats().active).toBe(0);
  }
});

test("no attempt is made or counted while the school's records can't be used", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let broken = true;
  const tenant = withPart(school, {
    dataKey: () => (broken ? Promise.reject(new Error("disk full")) : school.tenant.dataKey()),
  });
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send, { tenant: () => tenant });
  await backlog(school, 3, 2);
  await dispatcher.sendDue();
  expect(await school.deliveries()).toMatchObject(
    Array.from({ length: 6 }, () => ({ status: "pending", attempts: 0, lease_token: null })),
  );
  expect(setup.logged).toEqual(["Deliveries wait: the organization's records can't be used. Error: disk full"]);
  expect(dispatcher.stats()).toEqual({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 1 });

  broken = false;
  setup.clock.advance(seconds(30) - 1);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(0);
  setup.clock.advance(1);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(6);
});

test("a school that can't be read is checked again after 30 seconds", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  await backlog(school, 1, 1);
  let broken = true;
  const tenant = withPart(school, {
    read: (query) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.read(query)),
  });
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send, { tenant: () => tenant });
  // It was written to and never checkpointed, so storage knows only that.
  expect(await dispatcher.sweep()).toBe(0);
  expect(setup.logged).toHaveLength(1);
  broken = false;
  setup.clock.advance(seconds(30) - 1);
  expect(await dispatcher.sweep()).toBe(0); // its check is scheduled
  await dispatcher.sendDue();
  expect(sent).toHaveLength(0);
  setup.clock.advance(1);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(1);
});

test("deliveries that could not be released are released later", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  let broken = false;
  const tenant = withPart(school, {
    write: (body) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.write(body)),
  });
  const { sent, send } = newNetwork((_, count) => {
    broken = count === 2;
    return count === 2 ? hung : succeeded;
  });
  const dispatcher = setup.dispatcher(send, { caps: { perEndpoint: 1 }, tenant: () => tenant });
  await backlog(school, 1, 4);
  await dispatcher.sendDue();
  expect(await statuses(school)).toEqual(["delivering", "delivering", "delivering", "succeeded"]);
  broken = false;
  setup.clock.advance(seconds(30) - 1); // before the retry and the end of the lease
  await dispatcher.sendDue();
  expect(sent).toHaveLength(2);
  dispatcher.wake(school.id);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(5);
  expect(await statuses(school)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
});

test("an attempt does not start if its lease ends before its timeout", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const left: number[] = [];
  const { sent, send } = newNetwork(async ({ headers }) => {
    const { lease_until: leaseUntil } = await school.delivery(headers["X-SVC-Webhook-Delivery"] as DeliveryId);
    left.push(Date.parse(leaseUntil ?? "") - setup.clock.now().getTime());
    if (sent.length === 1) setup.clock.advance(seconds(20) + 1);
    return succeeded;
  });
  // Both are claimed together, for 30 seconds. The second waits for the first.
  const dispatcher = setup.dispatcher(send, { caps: { inFlight: 1 } });
  await backlog(school, 2, 1);
  await dispatcher.sendDue();
  expect(left).toEqual([seconds(30), seconds(30)]);
  expect(new Set(deliveryIds(sent)).size).toBe(2);
  expect(await statuses(school)).toEqual(["succeeded", "succeeded"]);
});

test("a check that finds a delivery due later schedules it", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const first = setup.dispatcher(newNetwork(() => failed).send);
  await backlog(school, 1, 1);
  await first.sendDue();

  const { sent, send } = newNetwork();
  const next = setup.dispatcher(send);
  next.wake(school.id);
  await next.sendDue();
  expect(sent).toHaveLength(0);
  expect(next.stats().scheduled).toBe(1);
  setup.clock.advance(seconds(1));
  await next.sendDue();
  expect(sent).toHaveLength(1);
});

/** Marks the school in the control database as due, and not written to since. */
async function markDue(setup: Setup, school: School): Promise<void> {
  const nextWakeAt = shift(setup.clock.now(), -1);
  await setup.storage.control.write((tx) =>
    tx.update(tenantMarks).set({ dirty: false, next_wake_at: nextWakeAt }).where(eq(tenantMarks.org_id, school.id)),
  );
}

test("sweep counts only organizations with due deliveries that are not handled", async () => {
  const setup = await newSetup();
  const [delivered, due, inFlight, idle] = [
    await setup.newSchool(),
    await setup.newSchool(),
    await setup.newSchool(),
    await setup.newSchool(),
  ];
  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send);
  await dispatcher.start();
  await backlog(inFlight, 1, 1);
  await hanging.whenSent(1);
  // Another dispatcher sends the delivery of `delivered`, and `idle` never had one.
  setup.dispatcher(newNetwork().send);
  await backlog(due, 1, 1);
  const other = setup.dispatcher(newNetwork().send);
  await backlog(delivered, 1, 1);
  await other.sendDue();
  for (const school of [delivered, due, inFlight, idle]) await markDue(setup, school);

  expect(await dispatcher.sweep()).toBe(1);
  await hanging.whenSent(2);
  expect(await dispatcher.sweep()).toBe(0);
  hanging.answer();
  await dispatcher.stop(seconds(5));
  expect(await statuses(due)).toEqual(["succeeded"]);
});

test("schools that were deferred for lack of room are served as soon as there is room, whatever else hangs", async () => {
  const setup = await newSetup();
  const [stuck, one, other] = [await setup.newSchool(), await setup.newSchool(), await setup.newSchool()];
  const never = Promise.withResolvers<typeof hung>();
  const hanging = new Set<string>();
  const { sent, send, whenSent } = newNetwork(({ body }) =>
    hanging.has(JSON.parse(body).event.data.endpoint_id) ? never.promise : succeeded,
  );
  const dispatcher = setup.dispatcher(send, { caps: { inFlight: 2, waiting: 1 } });
  for (const id of await backlog(stuck, 1, 1)) hanging.add(id);
  const sending = dispatcher.sendDue();
  await whenSent(1);
  const quiet = setup.dispatcher(newNetwork().send); // so that the commits wake another dispatcher
  await backlog(one, 1, 3);
  await backlog(other, 1, 3);
  dispatcher.wake(one.id);
  dispatcher.wake(other.id);
  await whenSent(7);
  never.resolve(hung);
  await sending;
  await quiet.stop(0);
  expect(new Set(deliveryIds(sent)).size).toBe(7);
});

test("a deferred school is served when the claim that held the room fails", async () => {
  const setup = await newSetup();
  const [one, two, other] = [await setup.newSchool(), await setup.newSchool(), await setup.newSchool()];
  for (const school of [one, two, other]) await backlog(school, 1, 1);
  const [held, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let holding = 0;
  const failing = (school: School) =>
    withPart(school, {
      write: (body) =>
        school.tenant.write(async (tx) => {
          await body(tx);
          holding += 1;
          if (holding === 2) held.resolve();
          await refused.promise;
          throw new Error("disk full");
        }),
    });
  const waiting = withPart(other, {
    write: async (body) => {
      await held.promise;
      const result = await other.tenant.write(body);
      refused.resolve();
      return result;
    },
  });
  const { sent, send } = newNetwork();
  const tenants = new Map<OrgId, Tenant>([
    [one.id, failing(one)],
    [two.id, failing(two)],
    [other.id, waiting],
  ]);
  const dispatcher = setup.dispatcher(send, {
    caps: { waiting: 1 },
    tenant: (id) => tenants.get(id) ?? other.tenant,
  });
  for (const { id } of [one, two, other]) dispatcher.wake(id);
  await dispatcher.sendDue();
  expect(sent).toHaveLength(1);
  expect(await statuses(other)).toEqual(["succeeded"]);
});

/** Tenants whose reads hang until `open`, and the set of those that were read. */
function heldTenants(setup: Setup) {
  const checked = new Set<OrgId>();
  const opened = Promise.withResolvers<void>();
  const tenant = (id: OrgId): Tenant => {
    const read = async () => {
      checked.add(id);
      await opened.promise;
      return { pending: null, delivering: null };
    };
    return { id, read } as unknown as Tenant;
  };
  return { checked, tenant, open: opened.resolve, newId: () => newId<"organization">(setup.clock) };
}

test("at most 16 schools are checked at the same time", async () => {
  const setup = await newSetup();
  const held = heldTenants(setup);
  const dispatcher = setup.dispatcher(newNetwork().send, { tenant: held.tenant });
  for (let count = 0; count < 40; count++) dispatcher.wake(held.newId());
  const sending = dispatcher.sendDue();
  expect(held.checked.size).toBe(16);
  held.open();
  await sending;
  expect(held.checked.size).toBe(40);
});

test("no school is checked while the waiting cap is exhausted", async () => {
  const setup = await newSetup();
  const schools = [await setup.newSchool(), await setup.newSchool()];
  for (const school of schools) await backlog(school, 3, 1);
  const held = heldTenants(setup);
  const claimed = Promise.withResolvers<void>();
  let claims = 0;
  const tenants = new Map(
    schools.map((school) => [
      school.id,
      withPart(school, {
        write: async (body) => {
          const result = await school.tenant.write(body);
          claims += 1;
          if (claims === 2) setImmediate(claimed.resolve);
          return result;
        },
      }),
    ]),
  );
  // A school that holds nothing may claim above the cap, up to twice the cap.
  const dispatcher = setup.dispatcher(newNetwork().send, {
    caps: { inFlight: 0, waiting: 1 },
    tenant: (id) => tenants.get(id) ?? held.tenant(id),
  });
  await dispatcher.start();
  await claimed.promise;
  expect(dispatcher.stats()).toMatchObject({ inFlight: 0, waiting: 2 });
  dispatcher.wake(held.newId());
  expect(held.checked.size).toBe(0);
  expect(dispatcher.stats().active).toBe(2);
});
