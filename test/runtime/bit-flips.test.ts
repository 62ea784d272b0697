import { expect, test } from "bun:test";
import { bitFlips } from "../../scripts/bit-flips.ts";
import { unnoticedFlips } from "../../scripts/unnoticed-flips.ts";

// The long form is `bun scripts/bit-flips.ts`.
test("a flipped bit ends the server once at most, and disturbs no other school", async () => {
  const { table, violations } = await bitFlips({ flips: 6, seed: Date.now() % 1_000_000, perRound: 6 });
  expect({ violations, table }).toEqual({ violations: [], table });
}, 300_000);

// The long form is `bun scripts/unnoticed-flips.ts 300`.
test("a flipped bit in an attachment is noticed by its reader, and never served", async () => {
  const { table, servedAsGood } = await unnoticedFlips({ flips: 4, seed: Date.now() % 1_000_000, perRound: 4 });
  expect({ servedAsGood, ...table["content of attachments"] }).toMatchObject({
    servedAsGood: 0,
    "a reader": 2,
    nobody: 0,
  });
}, 300_000);
