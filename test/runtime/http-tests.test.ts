import { expect, test } from "bun:test";
import { join } from "node:path";
import { isLinuxX64, root } from "./runtimes.ts";

async function pass(on: "deno" | "server", files: readonly string[]): Promise<void> {
  const paths = files.map((name) => `test/http/${name}.test.ts`);
  const command = [process.execPath, join(root, "scripts/test-runtimes.ts"), "--on", on, ...paths];
  const child = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect(printed).not.toContain("FAILED");
  expect(code).toBe(0);
}

test.skipIf(!isLinuxX64)(
  "tests of the HTTP layer pass over HTTP on Deno, too",
  // Headers, tags, bodies and limits, several cookies, what Deno may read of itself: a few of all that the command runs.
  () => pass("deno", ["http-layer", "compressed-bodies", "accounts/oauth-cookies", "operations/metrics"]),
  300_000,
);

test.skipIf(!isLinuxX64)(
  "tests of all that matters most pass with the databases on a libSQL server, too",
  // Sessions, flights, keys of idempotency, deliveries, jobs and money.
  () =>
    pass("server", [
      "accounts/refresh",
      "flights/states",
      "idempotency-stores",
      "integrations/deliveries",
      "operations/failed-jobs",
      "finance/settlements",
    ]),
  300_000,
);
