/**
 * How long `/health` takes beside the job `scrub`, which reads a school with many stored files, and without it, in turn. A
 * request of `/health` starts every 5 ms, whether or not the last one has ended, so a stall of a second counts 200 times. On a
 * busy machine, the server waits for a processor in both: Linux says how long (`schedstat`).
 *
 *   bun scripts/bench/scrub.ts [megabytes=400] [rounds=5]
 */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { jobsRun } from "../../src/modules/operations/commands.ts";
import { callServer } from "../../src/modules/operations/operator-client.ts";
import { fillSchool } from "./large-school.ts";
import { printTable, quantile } from "./post-office.ts";
import { freePort, healthBeside, startServer, waited } from "./server.ts";

const [megabytes, rounds] = [Number(process.argv[2] ?? 400), Number(process.argv[3] ?? 5)];
const directory = await mkdtemp(join(tmpdir(), "windsock-scrub-"));
const port = freePort();
const url = `http://127.0.0.1:${port}`;

const start = () => startServer(port, directory, { WINDSOCK_ATTACHMENT_QUOTA_MIB: String(2 * megabytes) });

/** Makes all databases due again. No server must be running. */
async function forgetScrubs(): Promise<void> {
  const control = createClient({ url: `file:${join(directory, "control.db")}` });
  await control.execute("update tenant_marks set scrubbed_at = null, scrub_place = null");
  await control.execute("update installation set scrubbed_at = null, scrub_place = null");
  control.close();
}

const figures = (name: string, load: string, took: number, waiting: number, health: number[]): string[] => [
  name,
  load,
  took.toFixed(2),
  waiting.toFixed(2),
  String(health.length),
  ...[0.5, 0.99, 1].map((part) => quantile(health, part).toFixed(1)),
];

try {
  const first = await start();
  await fillSchool(url, megabytes);
  await first.stop();
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  console.log(`${(Math.max(...sizes) / 1e6).toFixed(0)} MB in one school`);
  const table: string[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    await forgetScrubs();
    const { pid, stop } = await start();
    await Bun.sleep(2000);
    for (const isScrub of [false, true]) {
      const load = (loadavg()[0] ?? 0).toFixed(1);
      const before = await waited(pid);
      const scrubbing = async () => console.log((await callServer(directory, jobsRun, { name: "scrub" })).summary);
      const { took, health } = await healthBeside(url, isScrub ? scrubbing : () => Bun.sleep(5000));
      const waiting = (await waited(pid)) - before;
      table.push(figures(isScrub ? "the scrub" : "nothing", load, took / 1000, waiting, health));
    }
    await stop();
  }
  printTable(["beside", "load", "took, s", "waited, s", "requests", "median, ms", "p99, ms", "longest, ms"], table);
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
