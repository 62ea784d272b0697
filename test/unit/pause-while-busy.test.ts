import { expect, test } from "bun:test";
import { pauseWhileBusy } from "../../src/core/pause-while-busy.ts";

/** A stopwatch whose timers are late. @param late milliseconds of each timer, then none */
function stopwatch(...late: number[]) {
  let time = 0;
  return {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds + (late.shift() ?? 0);
    },
  };
}

test("pauseWhileBusy waits 10 ms beside an idle event loop", async () => {
  const watch = stopwatch();
  await pauseWhileBusy(watch);
  expect(watch.now()).toBe(10);
});

test("pauseWhileBusy waits until timers are on time again", async () => {
  const watch = stopwatch(40, 0, 40, 0);
  await pauseWhileBusy(watch);
  expect(watch.now()).toBe(50 + 100 + 50 + 100 + 10);
});

test("pauseWhileBusy ends after about a second under permanent load", async () => {
  const watch = stopwatch(...Array.from({ length: 100 }, () => 40));
  await pauseWhileBusy(watch);
  expect(watch.now()).toBeGreaterThanOrEqual(1000);
  expect(watch.now()).toBeLessThan(1200);
});
