import { expect, test } from "bun:test";
import { hours, seconds, shift } from "../../src/core/clock.ts";
import { backlogOf } from "../../src/events/backlogs.ts";
import { backlog, hangingNetwork, newNetwork, newOffice, nowOf } from "./office.ts";

test("a backlog is what has not ended, under way or waiting, and is as old as the oldest of it", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const look = () => school.tenant.read(backlogOf);
  expect(await look()).toEqual({ deliveries: 0, oldestDue: null });

  const hanging = hangingNetwork();
  const dispatcher = office.dispatcher(hanging.send, { caps: { inFlight: 1 } });
  await dispatcher.start();
  await backlog(school, 1, 1);
  const oldestDue = nowOf(office.clock);
  await hanging.whenSent(1);
  expect(await look()).toEqual({ deliveries: 1, oldestDue });
  expect([dispatcher.known(10), dispatcher.known(0)]).toEqual([[school.id], []]);

  office.clock.advance(seconds(5));
  await backlog(school, 1, 2);
  expect(await look()).toEqual({ deliveries: 3, oldestDue });

  hanging.answer();
  await dispatcher.stop(seconds(5));
  expect(dispatcher.outcomes()).toEqual(new Map([["succeeded", 1]]));
  expect((await look()).deliveries).toBe(2);
});

test("a school that is due for something else is not one with deliveries", async () => {
  const office = await newOffice();
  const school = await office.newSchool();
  const tomorrow = shift(nowOf(office.clock), hours(24));
  const dispatcher = office.dispatcher(newNetwork().send, {
    wakeUps: async () => [{ orgId: school.id, at: tomorrow }],
  });
  await dispatcher.start();
  expect([dispatcher.known(10), dispatcher.stats().scheduled]).toEqual([[], 0]);

  await backlog(school, 1, 1);
  expect(dispatcher.known(10)).toEqual([school.id]);
  await dispatcher.stop(seconds(5));
});
