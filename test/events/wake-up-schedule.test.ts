import { expect, test } from "bun:test";
import { seconds, shift } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { WakeUpSchedule } from "../../src/events/wake-up-schedule.ts";
import { TestClock } from "../support/clock.ts";
import { nowOf } from "./setup.ts";

test("WakeUpSchedule has organizations that are ready, deferred, or scheduled by the given time", () => {
  const clock = new TestClock();
  const [now, orgId] = [nowOf(clock), newId<"organization">(clock)];
  const later = shift(now, seconds(5));
  const schedule = new WakeUpSchedule();
  const has = () => [schedule.has(orgId, now), schedule.has(orgId, later)];
  expect(has()).toEqual([false, false]);
  schedule.add(orgId, later);
  expect(has()).toEqual([false, true]);
  schedule.advance(later);
  expect([schedule.next, schedule.hasReady, ...has()]).toEqual([undefined, true, true, true]);
  expect([schedule.take(), ...has()]).toEqual([orgId, false, false]);
  schedule.defer(orgId);
  expect(has()).toEqual([true, true]);
  expect([schedule.resumeDeferred(), schedule.resumeDeferred(), schedule.hasReady]).toEqual([true, false, true]);
  schedule.defer(orgId);
  schedule.clear();
  expect(has()).toEqual([false, false]);
});

test("WakeUpSchedule lists scheduled organizations only if they are known to have deliveries", () => {
  const clock = new TestClock();
  const schedule = new WakeUpSchedule();
  const [mayHave, has] = [newId<"organization">(clock), newId<"organization">(clock)];
  const later = shift(nowOf(clock), seconds(5));
  schedule.add(mayHave, later);
  schedule.addDeliveries(has, later);
  expect([schedule.withDeliveries, ...schedule.organizations()]).toEqual([1, has]);
  schedule.advance(later);
  expect(new Set(schedule.organizations())).toEqual(new Set([mayHave, has]));
  expect([schedule.take(), schedule.take()].sort()).toEqual([mayHave, has].sort());
  expect([schedule.withDeliveries, ...schedule.organizations()]).toEqual([0]);
});
