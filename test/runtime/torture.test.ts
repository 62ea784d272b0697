import { expect, test } from "bun:test";
import { torture } from "../../scripts/torture.ts";
import { oneFile } from "./processes.ts";

async function tortured(longest: number) {
  const { command } = await oneFile();
  const { table, violations, directory } = await torture({
    rounds: 10,
    seed: Date.now() % 1_000_000,
    longest,
    command,
  });
  expect({ violations, directory, table }).toEqual({ violations: [], directory, table });
  return table;
}

const hasApproved = (table: Awaited<ReturnType<typeof tortured>>) => Number(table["approvals acknowledged"]) > 0;

// The long form is `bun scripts/torture.ts`.
test("acknowledged writes are not lost, however often the server is killed", async () => {
  let table = await tortured(500);
  // A busy machine may approve nothing in so short a time: then nothing was tested.
  if (!hasApproved(table)) table = await tortured(4000);
  expect(hasApproved(table)).toBe(true);
  expect(table.events).toBeGreaterThan(0);
}, 300_000);
