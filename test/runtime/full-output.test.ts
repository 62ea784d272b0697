/** A server whose standard output is full, because its reader has stopped reading. */
import { afterEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { endProcesses, start, urlOf } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

/** Opens a pipe that nobody reads. It holds 64 KiB. */
function unreadPipe(path: string): number {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  return openSync(path, "r+");
}

const runtimes: [string, Runtime | undefined][] = [
  ["Bun", undefined],
  ["Deno", denoFromSource],
];

describe.skipIf(!isLinuxX64).each(runtimes)("on %s", (_, runtime) => {
  test("a server whose log nobody reads serves on, and stops within its deadline", async () => {
    // Deno has no access to /dev/shm, where other tests have their files.
    const folder = await mkdtemp("/tmp/windsock-output-");
    const stdout = unreadPipe(join(folder, "log"));
    try {
      const server = await start([], { runtime, stdout, env: { WINDSOCK_DATA_DIR: join(folder, "data") } });
      const url = await urlOf(server);
      // A line has some 200 bytes: 600 of them are more than the pipe holds.
      for (let count = 0; count < 60; count += 1)
        await Promise.all(Array.from({ length: 10 }, async () => (await fetch(`${url}/health`)).text()));

      server.signal("SIGTERM");

      expect(await server.ended).toBe(0);
    } finally {
      closeSync(stdout);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
