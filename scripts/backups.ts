/**
 * Makes backups beside a server that is written to, restores each, and looks whether it has every write that was acknowledged before it
 * began: `bun scripts/backups.ts [backups=100] [writes a second=200]`. Exits with 1 if one is lost. Also prints how long `/health` takes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClient } from "@libsql/client";
import { type SchoolOverHttp, signUp } from "../test/runtime/over-http.ts";

const [rounds, rate] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 200)];
const main = join(import.meta.dir, "../src/main.ts");
const folder = await mkdtemp(join(tmpdir(), "windsock-backups-"));
const [directory, place] = [join(folder, "data"), join(folder, "backups")];
const env = {
  ...process.env,
  WINDSOCK_DATA_DIR: directory,
  WINDSOCK_BACKUP_DIR: place,
  WINDSOCK_PORT: "0",
  WINDSOCK_WRITE_RATE: "999999",
  WINDSOCK_LOG_LEVEL: "error",
};

async function windsock(args: readonly string[], of: Record<string, string | undefined> = env): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { env: of, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`windsock ${args.join(" ")} ended with ${code}: ${output}`);
  return output;
}

const server = spawn(process.execPath, [main], { env, stdio: ["ignore", "inherit", "pipe"] });
const url = await new Promise<string>((resolve) => {
  let said = "";
  server.stderr.on("data", (text) => {
    said += text;
    const [, found] = /serving at (http:\S+)/.exec(said) ?? [];
    if (found !== undefined) resolve(found);
  });
});

const schools: SchoolOverHttp[] = [];
for (const name of ["olga", "otto", "ola", "odo"]) schools.push(await signUp(url, `${name}@backups.example`));
const acknowledged = schools.map(() => 0);
const healths: number[] = [];
let isOver = false;

/**
 * Writes its number into one of ten people's telephone, at a share of the rate. Each write is a row of the audit log: a file that also
 * grew by a person each time would be copied ever longer.
 */
async function write(school: SchoolOverHttp, index: number): Promise<void> {
  const people: string[] = [];
  for (let count = 0; count < 10; count += 1) people.push(await school.addPerson(`Sam ${count}`));
  const begun = performance.now();
  for (let count = 0; !isOver; count += 1) {
    const at = begun + (count * 1000 * schools.length) / rate;
    await Bun.sleep(Math.max(0, at - performance.now()));
    const { status } = await school.ask("PATCH", `/people/${people[count % people.length]}`, {
      phone: String(count + 1),
    });
    if (status !== 200) throw new Error(`A change was answered ${status}.`);
    acknowledged[index] = count + 1;
  }
}

async function health(): Promise<void> {
  while (!isOver) {
    const begun = performance.now();
    await (await fetch(`${url}/health`)).text();
    healths.push(performance.now() - begun);
    await Bun.sleep(5);
  }
}

const work = [...schools.map(write), health()];
const taken: { path: string; before: number[] }[] = [];
const began = performance.now();
for (let round = 0; round < rounds; round += 1) {
  const before = [...acknowledged];
  taken.push({ path: /to (\S+): /.exec(await windsock(["backup"]))?.[1] ?? "", before });
}
isOver = true;
await Promise.all(work);
const lasted = (performance.now() - began) / 1000;
server.kill("SIGTERM");
await once(server, "close");

let lost = 0;
for (const [round, { path, before }] of taken.entries()) {
  const restored = join(folder, `restored-${round}`);
  await mkdir(restored, { mode: 0o700 });
  await copyFile(join(directory, "secret.key"), join(restored, "secret.key"));
  const of = { ...env, WINDSOCK_DATA_DIR: restored };
  await windsock(["restore", path], of);
  for (const command of [["check"], ["audit", "verify"]]) await windsock(command, of);
  for (const [index, { orgId }] of schools.entries()) {
    const client = createClient({ url: `file:${join(restored, `${orgId}.db`)}` });
    const { rows } = await client.execute(
      "select cast(payload ->> '$.after.phone' as integer) from audit_log where action = 'person.updated'",
    );
    client.close();
    const found = new Set(rows.map((row) => Number(row[0])));
    for (let number = 1; number <= (before[index] ?? 0); number += 1) if (!found.has(number)) lost += 1;
  }
  // SQLite removes its files beside the database when it likes.
  await rm(restored, { recursive: true, force: true });
}
healths.sort((one, other) => one - other);
const percentile = (share: number) => healths[Math.floor(share * (healths.length - 1))]?.toFixed(1);
const writes = acknowledged.reduce((sum, count) => sum + count, 0);
process.stdout.write(
  `${taken.length} backups in ${lasted.toFixed(0)} s beside ${(writes / lasted).toFixed(0)} writes/s, each restored and checked; ` +
    `lost writes: ${lost}; /health p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms\n`,
);
await rm(folder, { recursive: true, force: true });
process.exit(lost === 0 ? 0 : 1);
