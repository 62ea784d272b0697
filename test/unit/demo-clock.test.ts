import { expect, test } from "bun:test";
import { hours, minutes } from "../../src/core/clock.ts";
import { createDemoClock } from "../../src/demo/clock.ts";

test("the demo's clock begins in the past, goes on, is never set back, and ends as the system's", () => {
  const now = Temporal.Now.instant();
  const clock = createDemoClock(now.subtract({ hours: 50 }));
  /** How far behind it is, in whole minutes: the test itself takes less. */
  const lag = () => Math.round((Date.now() - clock.now().getTime()) / minutes(1)) * minutes(1);
  expect(lag()).toBe(hours(50));

  clock.moveTo(now.subtract({ hours: 20 }));
  expect(lag()).toBe(hours(20));
  clock.moveTo(now.subtract({ hours: 30 }));
  expect(lag()).toBe(hours(20));
  clock.moveTo(now.add({ hours: 3 }));
  expect(lag()).toBe(0);

  const late = createDemoClock(now.subtract({ hours: 1 }));
  late.catchUp();
  expect(Math.abs(late.now().getTime() - Date.now())).toBeLessThan(minutes(1));
  late.moveTo(now.subtract({ minutes: 30 }));
  expect(Math.abs(late.now().getTime() - Date.now())).toBeLessThan(minutes(1));
});
