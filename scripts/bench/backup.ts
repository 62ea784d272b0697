/**
 * How long `/health` takes beside a backup of a large school, by the command that an operator uses and the schedule runs, plain and
 * encrypted, and without one, in turn. A request of `/health` starts every 5 ms, whether or not the last one has ended. On a busy
 * machine, the server waits for a processor in all of them: Linux says how long (`schedstat`).
 *
 *   bun scripts/bench/backup.ts [megabytes=1000] [rounds=3]
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { backup } from "../../src/modules/operations/commands.ts";
import { callServer } from "../../src/modules/operations/operator-client.ts";
import { fillSchool } from "./large-school.ts";
import { printTable, quantile } from "./post-office.ts";
import { freePort, healthBeside, startServer, waited } from "./server.ts";

const [megabytes, rounds] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 3)];
const folder = await mkdtemp(join(tmpdir(), "windsock-backup-"));
const [directory, place] = [join(folder, "data"), join(folder, "backups")];
const port = freePort();
const url = `http://127.0.0.1:${port}`;
const start = (env: Record<string, string> = {}) =>
  startServer(port, directory, { WINDSOCK_ATTACHMENT_QUOTA_MIB: String(2 * megabytes), ...env });

/** Copies all databases anew, and removes the copies: the next one finds as much space. */
async function backUp(): Promise<void> {
  const { outcome, summary } = await callServer(directory, backup, { to: place, full: true });
  if (outcome !== "succeeded") throw new Error(summary);
  console.log(summary);
}

const table: string[][] = [];
try {
  const first = await start();
  const school = await fillSchool(url, megabytes);
  await first.stop();
  const { size } = await stat(join(directory, `${school}.db`));
  console.log(`${(size / 1e6).toFixed(0)} MB in one school`);
  const recipient = await identityToRecipient(await generateX25519Identity());
  const works = [
    ["nothing", {}, () => Bun.sleep(10_000)],
    ["the backup", {}, backUp],
    ["the backup, encrypted", { WINDSOCK_BACKUP_RECIPIENT: recipient }, backUp],
  ] as const;
  for (let round = 0; round < rounds; round += 1)
    for (const [name, env, work] of works) {
      const { pid, stop } = await start(env);
      await Bun.sleep(2000);
      const load = (loadavg()[0] ?? 0).toFixed(1);
      const before = await waited(pid);
      const { took, health } = await healthBeside(url, work);
      const waiting = (await waited(pid)) - before;
      table.push([
        ...[name, load, (took / 1000).toFixed(2), waiting.toFixed(2), String(health.length)],
        ...[0.5, 0.99, 1].map((part) => quantile(health, part).toFixed(1)),
      ]);
      await stop();
      await rm(place, { recursive: true, force: true });
    }
  printTable(["beside", "load", "took, s", "waited, s", "requests", "median, ms", "p99, ms", "longest, ms"], table);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
