import { expect, test } from "bun:test";
import { join } from "node:path";
import { isLinuxX64, root } from "./runtimes.ts";

/** Headers, tags, bodies and limits, several cookies, what Deno may read of itself: a few of all that the command runs. */
const few = ["http-layer", "compressed-bodies", "accounts/oauth-cookies", "operations/metrics"].map(
  (name) => `test/http/${name}.test.ts`,
);

test.skipIf(!isLinuxX64)(
  "tests of the HTTP layer pass over HTTP on Deno, too",
  async () => {
    const command = [process.execPath, join(root, "scripts/test-runtimes.ts"), "--on", "deno", ...few];
    const child = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    expect(printed).not.toContain("FAILED");
    expect(code).toBe(0);
  },
  300_000,
);
