/** What a standby answers and how it waits. As processes: `test/runtime/standby.test.ts`. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { createLog } from "../../src/http/request-log.ts";
import { operatorSocket } from "../../src/modules/operations/operator-client.ts";
import { startWhenFree } from "../../src/server.ts";
import { openStandby } from "../../src/standby.ts";
import { DataDirectoryLocked, hasStandby, lockDataDirectory } from "../../src/storage/data-lock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { TestClock } from "../support/clock.ts";

/** A data directory that is in use. */
async function newPlace() {
  const directory = await mkdtemp(join(tmpdir(), "windsock-standby-"));
  afterThisTest(() => rm(directory, { recursive: true }));
  const { promise: url, resolve } = Promise.withResolvers<string>();
  const log = createLog("info", {
    write(line) {
      const { url: here, msg } = JSON.parse(line);
      if (msg === "Standing by for another process.") resolve(here);
    },
  });
  const config = loadConfig({ WINDSOCK_DATA_DIR: directory, WINDSOCK_PORT: "0" });
  return { directory, config, log, url, lock: await lockDataDirectory(directory) };
}

test("a standby answers only checks, says that it waits, and serves on its socket when it is fast enough", async () => {
  const { directory, config, log, url, lock } = await newPlace();
  expect(await hasStandby(directory)).toBe(false);
  expect(await readdir(directory)).not.toContain("standby.db");
  const standby = await openStandby({ config, log, clock: new TestClock(), maxBody: 1000 });
  let [tries, isFree] = [0, false];
  const open = async () => {
    if (!isFree) throw new Error("It is in use.");
    tries += 1;
    // Another standby was faster.
    if (tries === 1) throw new DataDirectoryLocked(directory);
    return "data";
  };
  const opened = standby.openWhenFree(open, new AbortController().signal);
  const here = await url;
  expect(await hasStandby(directory)).toBe(true);
  const statusOf = async (method: string, path: string) => (await fetch(here + path, { method })).status;
  expect([await statusOf("GET", "/health"), await statusOf("HEAD", "/health")]).toEqual([200, 200]);
  for (const [method, path] of [
    ["POST", "/health"],
    ["GET", "/healthy"],
    ["GET", "/health/ready"],
  ] as const)
    expect([path, await statusOf(method, path)]).toEqual([path, 503]);
  const { headers } = await fetch(`${here}/app`);
  expect([headers.get("retry-after"), headers.get("x-content-type-options")]).toEqual(["1", "nosniff"]);

  // Its lock file may have been removed: then its socket says that it runs.
  const active = createServer().listen(operatorSocket(directory));
  await once(active, "listening");
  const asked = once(active, "connection");
  lock.release();
  await asked;
  active.close();
  isFree = true;
  expect([await opened, tries]).toEqual(["data", 2]);
  expect(await hasStandby(directory)).toBe(false);
  standby.takeOver(() => new Response("active"));
  expect(await (await fetch(`${here}/app`)).text()).toBe("active");
  await standby.close();
  await expect(fetch(here)).rejects.toThrow();
}, 5_000);

test("a standby that can't open the data when it is free ends, and gives its port back", async () => {
  const { directory, config, log, url, lock } = await newPlace();
  const starting = startWhenFree(config, log, { stopping: new AbortController().signal }).then(
    () => "started",
    (error: Error) => error.message,
  );
  const here = await url;
  await writeFile(join(directory, "control.db"), "rows without their key");
  lock.release();
  expect(await starting).toContain("secret.key is missing");
  await expect(fetch(`${here}/health`)).rejects.toThrow();
}, 10_000);
