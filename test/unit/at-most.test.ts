import { expect, test } from "bun:test";
import { atMost } from "../../src/core/at-most.ts";

const never = new Promise(() => undefined);

test("atMost waits for the work, and says that it has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waited = atMost(60_000, promise);
  resolve("done");
  expect(await waited).toBe(true);
});

test("atMost waits no longer than it may", async () => {
  expect(await atMost(1, never)).toBe(false);
  expect(await atMost(0, never)).toBe(false);
});

test("atMost fails as the work does", async () => {
  await expect(atMost(60_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
