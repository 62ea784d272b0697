import { expect, test } from "bun:test";
import { bitFlips } from "../../scripts/bit-flips.ts";

// The long form is `bun scripts/bit-flips.ts`.
test("a flipped bit ends the server once at most, and disturbs no other school", async () => {
  const { table, violations } = await bitFlips({ flips: 6, seed: Date.now() % 1_000_000, perRound: 6 });
  expect({ violations, table }).toEqual({ violations: [], table });
}, 120_000);
