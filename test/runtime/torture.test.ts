import { expect, test } from "bun:test";
import { torture } from "../../scripts/torture.ts";

// The long form is `bun scripts/torture.ts`.
test("acknowledged writes are not lost, however often the server is killed", async () => {
  const { table, violations, directory } = await torture({ rounds: 10, seed: Date.now() % 1_000_000, longest: 500 });
  expect({ violations, directory, table }).toEqual({ violations: [], directory, table });
  // Otherwise nothing was tested.
  expect(table["approvals acknowledged"]).toBeGreaterThan(0);
  expect(table.events).toBeGreaterThan(0);
}, 300_000);
