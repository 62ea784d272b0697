/** The short form of `scripts/nodes.ts`. */
import { afterEach, expect, test } from "bun:test";
import { endProcesses } from "../../runtime/processes.ts";
import { cleanUp } from "../temporary.ts";
import { disturbances, rush } from "./rush.ts";

afterEach(async () => {
  await endProcesses();
  await cleanUp();
});

test("two nodes under kills, a stop and a cut: nothing acknowledged is lost, nothing doubled, all is told", async () => {
  const { flights, faults, deliveries, audit } = await rush({ disturbances, pause: 500 });
  expect({ faults, told: deliveries.faults }).toEqual({ faults: [], told: [] });
  expect(flights).toBeGreaterThan(10);
  expect(audit).toMatch(/^control: \d+ rows, ok\n\S+: \d+ rows, ok$/);
}, 240_000);
