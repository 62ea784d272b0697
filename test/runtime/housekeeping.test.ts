import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { repeat } from "../../src/core/async.ts";
import { seconds } from "../../src/core/clock.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("slow housekeeping is not started twice, and missed rounds are not repeated", async () => {
  const held = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await held.promise;
  };
  const housekeeping = repeat(work, { log: { error: () => undefined } });
  jest.advanceTimersByTime(seconds(10));
  expect(runs).toBe(1);

  const stopped = housekeeping.stop();
  held.resolve();
  await stopped;
  jest.advanceTimersByTime(seconds(10));
  expect(runs).toBe(1);
});

test("failing housekeeping is logged and retried", async () => {
  const logged: unknown[] = [];
  const failed = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) throw new Error("broken");
  };
  const error = (details: object) => {
    logged.push(details);
    failed.resolve();
  };
  const housekeeping = repeat(work, { log: { error } });
  jest.advanceTimersByTime(seconds(1));
  await failed.promise;
  await Promise.resolve(); // the round ends one step after its failure was logged
  jest.advanceTimersByTime(seconds(1));
  await housekeeping.stop();
  expect(runs).toBe(2);
  expect(logged).toEqual([{ err: new Error("broken") }]);
});
