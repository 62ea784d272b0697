import { expect, test } from "bun:test";
import { seconds } from "../../src/core/clock.ts";
import { backlogOf } from "../../src/events/backlog.ts";
import { backlog, hangingNetwork, newOffice, nowOf } from "./office.ts";

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
