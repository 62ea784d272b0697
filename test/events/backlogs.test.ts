import { expect, test } from "bun:test";
import { atMost } from "../../src/core/async.ts";
import { hours, seconds, shift } from "../../src/core/clock.ts";
import { backlogOf, createBacklogs } from "../../src/events/backlogs.ts";
import { backlog, hangingNetwork, newNetwork, newSetup, nowOf } from "./setup.ts";

test("a backlog counts deliveries that have not ended, and has the earliest due time", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const look = () => school.tenant.read(backlogOf);
  expect(await look()).toEqual({ deliveries: 0, oldestDue: null, failingEndpoints: 0 });

  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send, { caps: { inFlight: 1 } });
  await dispatcher.start();
  await backlog(school, 1, 1);
  const oldestDue = nowOf(setup.clock);
  await hanging.whenSent(1);
  expect(await look()).toEqual({ deliveries: 1, oldestDue, failingEndpoints: 0 });
  expect([dispatcher.organizations(10), dispatcher.organizations(0)]).toEqual([[school.id], []]);

  setup.clock.advance(seconds(5));
  await backlog(school, 1, 2);
  expect(await look()).toEqual({ deliveries: 3, oldestDue, failingEndpoints: 0 });

  hanging.answer();
  await dispatcher.stop(seconds(5));
  expect(dispatcher.outcomes()).toEqual(new Map([["succeeded", 1]]));
  expect((await look()).deliveries).toBe(2);
});

test("organizations() omits a school that is scheduled for another reason than deliveries", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const tomorrow = shift(nowOf(setup.clock), hours(24));
  const dispatcher = setup.dispatcher(newNetwork().send, {
    wakeUps: async () => [{ orgId: school.id, at: tomorrow }],
  });
  await dispatcher.start();
  expect([dispatcher.organizations(10), dispatcher.stats().scheduled]).toEqual([[], 0]);

  await backlog(school, 1, 1);
  expect(dispatcher.organizations(10)).toEqual([school.id]);
  await dispatcher.stop(seconds(5));
});

test("createBacklogs keeps the last value of a school that can't be read now, and reads the others", async () => {
  const setup = await newSetup();
  const [checked, damaged, busy] = [await setup.newSchool(), await setup.newSchool(), await setup.newSchool()];
  for (const school of [checked, damaged, busy]) await backlog(school, 1, 1);
  const check = Promise.withResolvers<never>();
  const faults = new Map<string, Promise<never>>();
  const unreadable: string[] = [];
  const known = [checked, damaged, busy].map(({ id }) => id);
  const backlogs = createBacklogs({
    clock: setup.clock,
    tenant: (id) => {
      const tenant = setup.storage.tenants.tenant(id);
      return { ...tenant, read: (query) => faults.get(id) ?? tenant.read(query) };
    },
    organizations: () => known,
    onUnreadable: (id) => unreadable.push(id),
  });
  const found = () => backlogs.known().map(({ orgId, deliveries, readAt }) => [orgId, deliveries, readAt]);
  const first = nowOf(setup.clock);
  await backlogs.refresh();
  expect(found()).toEqual(known.map((id) => [id, 1, first]));

  faults.set(checked.id, check.promise).set(damaged.id, Promise.reject(new Error("damaged")));
  setup.clock.advance(seconds(10));
  await backlog(busy, 1, 1);
  const round = backlogs.refresh();
  expect(await atMost(seconds(1), round)).toBeFalse();
  const second = nowOf(setup.clock);
  expect(found()).toEqual([
    [checked.id, 1, first],
    [damaged.id, 1, first],
    [busy.id, 2, second],
  ]);
  expect(unreadable).toEqual([damaged.id]);

  // The same round: nothing is read twice at a time.
  setup.clock.advance(seconds(10));
  expect(backlogs.refresh()).toBe(round);
  check.reject(new Error("Its check took too long."));
  await round;
  known.shift();
  await backlogs.refresh();
  expect(backlogs.known().map(({ orgId }) => orgId)).toEqual(known);
});
