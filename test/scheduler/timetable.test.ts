/** The schedules of jobs while the clock is set. */
import { expect, test } from "bun:test";
import { days, hours, minutes, seconds } from "../../src/core/clock.ts";
import { startCronBy } from "../../src/scheduler/timetable.ts";
import { TestClock } from "../support/clock.ts";
import { timersBy } from "./timers.ts";

/** A schedule that was started at 01:59:00. */
function started(schedule: string) {
  const clock = new TestClock("2026-06-14T01:59:00.000Z");
  const { after, pass } = timersBy(clock);
  const ticks: string[] = [];
  const stop = startCronBy(clock, after)(
    schedule,
    async () => void ticks.push(clock.now().toISOString().replace("T", " ").slice(5, 19)),
  );
  return { clock, pass, ticks, stop };
}

test("a schedule has a tick at each of its times, until it is stopped", async () => {
  const { pass, ticks, stop } = started("30 */5 * * * *");
  await pass(minutes(10));
  expect(ticks).toEqual(["06-14 02:00:30", "06-14 02:05:30"]);
  stop();
  await pass(minutes(10));
  expect(ticks).toHaveLength(2);
});

test("a tick may stop its schedule", async () => {
  const clock = new TestClock();
  const { after, pass } = timersBy(clock);
  let ticks = 0;
  const stop = startCronBy(clock, after)("* * * * *", async () => {
    ticks += 1;
    stop();
  });
  await pass(minutes(3));
  expect(ticks).toBe(1);
});

test("a clock that was a day ahead and is set back delays no schedule by a day", async () => {
  const { clock, pass, ticks } = started("0 2 * * *");
  clock.advance(days(1));
  await pass(minutes(2));
  expect(ticks).toEqual(["06-15 01:59:30", "06-15 02:00:00"]); // what was skipped is one tick, as soon as it is noticed
  clock.advance(-days(1)); // 02:01, for which today's time has passed
  await pass(days(1));
  expect(ticks.slice(2)).toEqual(["06-15 02:00:00"]);
});

test("a time that ticked has a second tick after the clock was set back by two minutes, and none by a minute", async () => {
  const { clock, pass, ticks } = started("0 2 * * *");
  await pass(seconds(90));
  clock.advance(-minutes(1)); // 01:59:30
  await pass(minutes(1));
  expect(ticks).toEqual(["06-14 02:00:00"]);
  clock.advance(-minutes(2));
  await pass(minutes(2));
  expect(ticks).toEqual(["06-14 02:00:00", "06-14 02:00:00"]);
  clock.advance(-hours(1));
  await pass(hours(1));
  expect(ticks).toEqual(["06-14 02:00:00", "06-14 02:00:00", "06-14 02:00:00"]);
});

test("small steps back that add up to more than a minute are one large step", async () => {
  const { clock, pass, ticks } = started("0 2 * * *");
  await pass(seconds(61));
  for (const _ of [1, 2]) {
    clock.advance(-seconds(59));
    await pass(seconds(30));
  }
  clock.advance(-seconds(59)); // 01:58:04, and 177 s behind 02:00:01
  await pass(minutes(3));
  expect(ticks).toEqual(["06-14 02:00:00", "06-14 02:00:00"]);
});

test("a clock that is set ahead is noticed within half a minute", async () => {
  const { clock, pass, ticks } = started("0 2 * * *");
  clock.advance(hours(12));
  await pass(seconds(30));
  expect(ticks).toEqual(["06-14 13:59:30"]);
});
