import { expect, test } from "bun:test";
import { hours, seconds, shift } from "../../src/core/clock.ts";
import { backlogOf } from "../../src/events/backlogs.ts";
import { backlog, hangingNetwork, newNetwork, newSetup, nowOf } from "./setup.ts";

test("a backlog counts deliveries that have not ended, and has the earliest due time", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const look = () => school.tenant.read(backlogOf);
  expect(await look()).toEqual({ deliveries: 0, oldestDue: null });

  const hanging = hangingNetwork();
  const dispatcher = setup.dispatcher(hanging.send, { caps: { inFlight: 1 } });
  await dispatcher.start();
  await backlog(school, 1, 1);
  const oldestDue = nowOf(setup.clock);
  await hanging.whenSent(1);
  expect(await look()).toEqual({ deliveries: 1, oldestDue });
  expect([dispatcher.organizations(10), dispatcher.organizations(0)]).toEqual([[school.id], []]);

  setup.clock.advance(seconds(5));
  await backlog(school, 1, 2);
  expect(await look()).toEqual({ deliveries: 3, oldestDue });

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
