import { expect, test } from "bun:test";
import { allInOrder, atMost, countdown, untilAborted, yieldingBetween } from "../../src/core/async.ts";

const never = new Promise(() => undefined);

test("atMost waits for the work and returns true when it has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waited = atMost(60_000, promise);
  resolve("done");
  expect(await waited).toBe(true);
});

test("atMost returns false when the time is over", async () => {
  expect(await atMost(1, never)).toBe(false);
  expect(await atMost(0, never)).toBe(false);
});

test("atMost throws the error of the work", async () => {
  await expect(atMost(60_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("atMost without a limit waits for the work", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waited = atMost(Number.POSITIVE_INFINITY, promise);
  expect(await Promise.race([waited, atMost(5, never)])).toBe(false);
  resolve();
  expect(await waited).toBe(true);
});

test("allInOrder throws the error of the first in the list, whichever fails first, and when all have ended", async () => {
  const { promise: slow, reject } = Promise.withResolvers<never>();
  const { promise: last, resolve } = Promise.withResolvers<void>();
  let hasEnded = false;
  const all = allInOrder([1, slow, Promise.reject(new Error("at once")), last]).finally(() => {
    hasEnded = true;
  });
  reject(new Error("first in the list"));
  expect(await Promise.race([all.catch(() => "ended"), atMost(5, never)])).toBe(false);
  expect(hasEnded).toBe(false);
  resolve();
  await expect(all).rejects.toThrow("first in the list");
});

test("allInOrder returns the results in the order of the list", async () => {
  expect(await allInOrder([Promise.resolve("a"), 2])).toEqual(["a", 2]);
});

test("untilAborted waits for the work, or for the signal", async () => {
  const stopping = new AbortController();
  expect(await untilAborted(stopping.signal, Promise.resolve())).toBe(true);
  const waited = untilAborted(stopping.signal, never);
  stopping.abort();
  expect(await waited).toBe(false);
  expect(await untilAborted(stopping.signal, never)).toBe(false);
});

test("countdown returns the remaining time, and 0 when it is over", async () => {
  expect(countdown(60_000)()).toBeWithin(59_000, 60_001);
  expect(countdown(0)()).toBe(0);
  expect(countdown(Number.POSITIVE_INFINITY)()).toBe(Number.POSITIVE_INFINITY);
});

test("yieldingBetween returns all items, and lets other work run between long ones", async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const seen: number[] = [];
  for await (const item of yieldingBetween([1, 2, 3, 4])) {
    seen.push(item);
    for (const end = performance.now() + 6; performance.now() < end; );
  }
  clearInterval(count);
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(turns).toBeGreaterThan(1);
});
