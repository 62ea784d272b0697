import { expect, test } from "bun:test";
import { atMost } from "../../src/core/async.ts";

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
