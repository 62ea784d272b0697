import { expect, test } from "bun:test";
import { Mutex } from "../../src/storage/mutex.ts";

test("Mutex runs one callback at a time, in the order of the calls", async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const runs = gates.map(({ promise }, index) =>
    mutex.run(async () => {
      seen.push(`${index} in`);
      await promise;
      seen.push(`${index} out`);
      return index;
    }),
  );
  // The last callback could finish long before the first. It must still wait.
  for (const { resolve } of gates.toReversed()) resolve();

  expect(await Promise.all(runs)).toEqual([0, 1, 2]);
  expect(seen).toEqual(["0 in", "0 out", "1 in", "1 out", "2 in", "2 out"]);
});

test("Mutex continues after a failed callback, and throws to its caller only", async () => {
  const mutex = new Mutex();
  const failed = mutex.run(() => Promise.reject(new Error("no luck")));
  const thrown = mutex.run(() => {
    throw new Error("at once");
  });
  const next = mutex.run(async () => "done");

  expect(failed).rejects.toThrow("no luck");
  expect(thrown).rejects.toThrow("at once");
  expect(await next).toBe("done");
});
