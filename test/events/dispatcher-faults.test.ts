/** The dispatcher when something comes between: a stop, a wake at the wrong moment, records that can't be used. */
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
  newOffice,
  type Office,
  type School,
  succeeded,
} from "./office.ts";

/** The school's tenant, some of it replaced. */
const withPart = ({ tenant }: School, part: Partial<Tenant>): Tenant => ({ ...tenant, ...part });

const statuses = async (school: School) => (await school.deliveries()).map(({ status }) => status).sort();

test("what a claim takes while a stop is under way is given back at once", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const [id] = await backlog(school, 1, 2);
  if (id === undefined) throw new Error("no endpoint");
  const [committed, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tenant = withPart(school, {
    write: async (body) => {
      const result = await school.tenant.write(body);
      committed.resolve();
      await told.promise;
      return result;
    },
  });
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send, { tenant: () => tenant });
  await dispatcher.start();
  await committed.promise;
  expect(await statuses(school)).toEqual(["delivering", "pending"]);
  const stopped = dispatcher.stop(seconds(60)); // more than this test is given
  told.resolve();
  await stopped;
  expect(sent).toEqual([]);
  expect(await statuses(school)).toEqual(["pending", "pending"]);
});

test("a stop ends what settles, and nothing settles after it", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const hanging = hangingNetwork();
  const dispatcher = office.dispatcher(hanging.send);
  const [id] = await backlog(school, 1, 1);
  const settled = dispatcher.settle();
  await hanging.whenSent(1);
  dispatcher.wake(school.id);
  const stopped = dispatcher.stop(seconds(5));
  dispatcher.wake(school.id);
  hanging.answer();
  await stopped;
  await settled;
  if (id !== undefined) await school.ping(id);
  await dispatcher.settle();
  expect(hanging.sent).toHaveLength(1);
});

test("a wake at whatever moment a look ends is not lost", async () => {
  const office = await newOffice();
  let looks = 0;
  const nothing = async () => {
    looks += 1;
    return { pending: null, delivering: null };
  };
  const tenant = { id: newId<"organization">(office.clock), read: nothing } as unknown as Tenant;
  const dispatcher = office.dispatcher(newNetwork().send, { tenant: () => tenant, wakeUps: async () => [] });
  await dispatcher.start();
  const inTurn = globalThis.setImmediate;
  const turn = () => new Promise((resolve) => inTurn(resolve));
  for (let step = 0; step < 16; step++) {
    const before = looks;
    const woken = Promise.withResolvers<void>();
    // The look ends in the same turn as the pause after it. In each step of that turn, once, something gets due.
    const spy = spyOn(globalThis, "setImmediate").mockImplementationOnce(((resume: () => void) =>
      inTurn(async () => {
        resume();
        for (let left = step; left > 0; left--) await undefined;
        dispatcher.wake(tenant.id);
        woken.resolve();
      })) as unknown as typeof setImmediate);
    dispatcher.wake(tenant.id);
    await woken.promise;
    spy.mockRestore();
    for (let turns = 0; turns < 3; turns++) await turn();
    expect(looks - before).toBe(2);
    expect(dispatcher.stats().active).toBe(0);
  }
});

test("deliveries are not made, and not counted as made, while their school's records can't be used", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let broken = true;
  const tenant = withPart(school, {
    dataKey: () => (broken ? Promise.reject(new Error("disk full")) : school.tenant.dataKey()),
  });
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send, { tenant: () => tenant });
  await backlog(school, 3, 2);
  await dispatcher.settle();
  expect(await school.deliveries()).toMatchObject(
    Array.from({ length: 6 }, () => ({ status: "pending", attempts: 0, lease_token: null })),
  );
  expect(office.logged).toEqual(["Deliveries wait: the records can't be used. Error: disk full"]);
  expect(dispatcher.stats()).toEqual({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 1 });

  broken = false;
  office.clock.advance(seconds(30) - 1);
  await dispatcher.settle();
  expect(sent).toHaveLength(0);
  office.clock.advance(1);
  await dispatcher.settle();
  expect(sent).toHaveLength(6);
});

test("a school that could not be read is looked into again after half a minute", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  await backlog(school, 1, 1);
  let broken = true;
  const tenant = withPart(school, {
    read: (query) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.read(query)),
  });
  const { sent, send } = newNetwork();
  const dispatcher = office.dispatcher(send, { tenant: () => tenant });
  // It was written to and never checkpointed, so nothing is noted of it but that.
  expect(await dispatcher.sweep()).toBe(0);
  expect(office.logged).toHaveLength(1);
  broken = false;
  office.clock.advance(seconds(30) - 1);
  expect(await dispatcher.sweep()).toBe(0); // its time is about to come
  await dispatcher.settle();
  expect(sent).toHaveLength(0);
  office.clock.advance(1);
  await dispatcher.settle();
  expect(sent).toHaveLength(1);
});

test("what could not be given back is given back later", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  let broken = false;
  const tenant = withPart(school, {
    write: (body) => (broken ? Promise.reject(new Error("disk full")) : school.tenant.write(body)),
  });
  const { sent, send } = newNetwork((_, count) => {
    broken = count === 2;
    return count === 2 ? hung : succeeded;
  });
  const dispatcher = office.dispatcher(send, { caps: { perEndpoint: 1 }, tenant: () => tenant });
  await backlog(school, 1, 4);
  await dispatcher.settle();
  expect(await statuses(school)).toEqual(["delivering", "delivering", "delivering", "succeeded"]);
  broken = false;
  office.clock.advance(seconds(30) - 1); // a wake would be for something else, and a lease has not ended
  await dispatcher.settle();
  expect(sent).toHaveLength(2);
  dispatcher.wake(school.id);
  await dispatcher.settle();
  expect(sent).toHaveLength(5);
  expect(await statuses(school)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
});

test("an attempt is not begun with less time on its lease than it may take", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const left: number[] = [];
  const { sent, send } = newNetwork(async ({ headers }) => {
    const { lease_until: leaseUntil } = await school.delivery(headers["X-SVC-Webhook-Delivery"] as DeliveryId);
    left.push(Date.parse(leaseUntil ?? "") - office.clock.now().getTime());
    if (sent.length === 1) office.clock.advance(seconds(20) + 1);
    return succeeded;
  });
  // Both are claimed together, with thirty seconds; the second waits for the first.
  const dispatcher = office.dispatcher(send, { caps: { inFlight: 1 } });
  await backlog(school, 2, 1);
  await dispatcher.settle();
  expect(left).toEqual([seconds(30), seconds(30)]);
  expect(new Set(deliveryIds(sent)).size).toBe(2);
  expect(await statuses(school)).toEqual(["succeeded", "succeeded"]);
});

test("a look that finds nothing due yet remembers when something will be", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const first = office.dispatcher(newNetwork(() => failed).send);
  await backlog(school, 1, 1);
  await first.settle();

  const { sent, send } = newNetwork();
  const next = office.dispatcher(send);
  next.wake(school.id);
  await next.settle();
  expect(sent).toHaveLength(0);
  expect(next.stats().scheduled).toBe(1);
  office.clock.advance(seconds(1));
  await next.settle();
  expect(sent).toHaveLength(1);
});

/** The school was due, says control, and it has not been written to since. */
async function noted(office: Office, school: School): Promise<void> {
  const nextWakeAt = shift(office.clock.now(), -1);
  await office.storage.control.write((tx) =>
    tx.update(tenantMarks).set({ dirty: false, next_wake_at: nextWakeAt }).where(eq(tenantMarks.org_id, school.id)),
  );
}

test("a sweep counts what is due and nobody looks after, and nothing else", async () => {
  const office = await newOffice();
  const [made, due, underWay, idle] = [
    await office.newSchool(),
    await office.newSchool(),
    await office.newSchool(),
    await office.newSchool(),
  ];
  const hanging = hangingNetwork();
  const dispatcher = office.dispatcher(hanging.send);
  await dispatcher.start();
  await backlog(underWay, 1, 1);
  await hanging.whenSent(1);
  // Its delivery was made by somebody else, and nothing was ever due at the other.
  office.dispatcher(newNetwork().send);
  await backlog(due, 1, 1);
  const other = office.dispatcher(newNetwork().send);
  await backlog(made, 1, 1);
  await other.settle();
  for (const school of [made, due, underWay, idle]) await noted(office, school);

  expect(await dispatcher.sweep()).toBe(1);
  await hanging.whenSent(2);
  expect(await dispatcher.sweep()).toBe(0);
  hanging.answer();
  await dispatcher.stop(seconds(5));
  expect(await statuses(due)).toEqual(["succeeded"]);
});

test("schools for which there was no room get their turn as soon as there is some, whatever else hangs", async () => {
  const office = await newOffice();
  const [stuck, one, other] = [await office.newSchool(), await office.newSchool(), await office.newSchool()];
  const never = Promise.withResolvers<typeof hung>();
  const hanging = new Set<string>();
  const { sent, send, whenSent } = newNetwork(({ body }) =>
    hanging.has(JSON.parse(body).event.data.endpoint_id) ? never.promise : succeeded,
  );
  const dispatcher = office.dispatcher(send, { caps: { inFlight: 2, waiting: 1 } });
  for (const id of await backlog(stuck, 1, 1)) hanging.add(id);
  const settled = dispatcher.settle();
  await whenSent(1);
  const quiet = office.dispatcher(newNetwork().send); // the commits wake another one
  await backlog(one, 1, 3);
  await backlog(other, 1, 3);
  dispatcher.wake(one.id);
  dispatcher.wake(other.id);
  await whenSent(7);
  never.resolve(hung);
  await settled;
  await quiet.stop(0);
  expect(new Set(deliveryIds(sent)).size).toBe(7);
});

test("a school for which there was no room gets its turn when the claim that held it fails", async () => {
  const office = await newOffice();
  const [one, two, other] = [await office.newSchool(), await office.newSchool(), await office.newSchool()];
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
  const dispatcher = office.dispatcher(send, {
    caps: { waiting: 1 },
    tenant: (id) => tenants.get(id) ?? other.tenant,
  });
  for (const { id } of [one, two, other]) dispatcher.wake(id);
  await dispatcher.settle();
  expect(sent).toHaveLength(1);
  expect(await statuses(other)).toEqual(["succeeded"]);
});

/** Tenants whose every look hangs, and which of them were looked into. */
function closedTenants(office: Office) {
  const looked = new Set<OrgId>();
  const opened = Promise.withResolvers<void>();
  const tenant = (id: OrgId): Tenant => {
    const read = async () => {
      looked.add(id);
      await opened.promise;
      return { pending: null, delivering: null };
    };
    return { id, read } as unknown as Tenant;
  };
  return { looked, tenant, open: opened.resolve, newId: () => newId<"organization">(office.clock) };
}

test("no more than sixteen schools are looked into at the same time", async () => {
  const office = await newOffice();
  const closed = closedTenants(office);
  const dispatcher = office.dispatcher(newNetwork().send, { tenant: closed.tenant });
  for (let count = 0; count < 40; count++) dispatcher.wake(closed.newId());
  const settled = dispatcher.settle();
  expect(closed.looked.size).toBe(16);
  closed.open();
  await settled;
  expect(closed.looked.size).toBe(40);
});

test("nobody is looked into while as many wait as may", async () => {
  const office = await newOffice();
  const schools = [await office.newSchool(), await office.newSchool()];
  for (const school of schools) await backlog(school, 3, 1);
  const closed = closedTenants(office);
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
  // One that holds nothing may claim when the cap is reached; when twice as much is taken, nobody may.
  const dispatcher = office.dispatcher(newNetwork().send, {
    caps: { inFlight: 0, waiting: 1 },
    tenant: (id) => tenants.get(id) ?? closed.tenant(id),
  });
  await dispatcher.start();
  await claimed.promise;
  expect(dispatcher.stats()).toMatchObject({ inFlight: 0, waiting: 2 });
  dispatcher.wake(closed.newId());
  expect(closed.looked.size).toBe(0);
  expect(dispatcher.stats().active).toBe(2);
});
