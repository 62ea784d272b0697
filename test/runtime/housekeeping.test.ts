import { expect, test } from "bun:test";
import { keepHouse } from "../../src/housekeeping.ts";

/** Lets some rounds come. */
async function rounds(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}

test("housekeeping that takes long is not begun again meanwhile, and what it missed is not made up for", async () => {
  const held = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await held.promise;
  };
  const housekeeping = keepHouse(work, { every: 1, log: { error: () => undefined } });
  await rounds();
  expect(runs).toBe(1);

  const stopped = housekeeping.stop();
  held.resolve();
  await stopped;
  await rounds();
  expect(runs).toBe(1);
});

test("housekeeping that fails is logged and tried again", async () => {
  const logged: unknown[] = [];
  const again = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) throw new Error("broken");
    again.resolve();
  };
  const housekeeping = keepHouse(work, { every: 1, log: { error: (details) => void logged.push(details) } });
  await again.promise;
  await housekeeping.stop();
  expect(logged).toEqual([{ err: new Error("broken") }]);
});
