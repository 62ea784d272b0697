/**
 * How long `/health` takes beside the job `scrub`, which reads a school with many stored files, and without it, in turn. A
 * request of `/health` starts every 5 ms, whether or not the last one has ended, so a stall of a second counts 200 times. On a
 * busy machine, the server waits for a processor in both: Linux says how long (`schedstat`).
 *
 *   bun scripts/bench/scrub.ts [megabytes=400] [rounds=5]
 */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { jobsRun } from "../../src/modules/operations/commands.ts";
import { callServer } from "../../src/modules/operations/operator-client.ts";
import { printTable, quantile } from "./post-office.ts";
import { freePort, healthBeside, startServer } from "./server.ts";

const [megabytes, rounds] = [Number(process.argv[2] ?? 400), Number(process.argv[3] ?? 5)];
const directory = await mkdtemp(join(tmpdir(), "windsock-scrub-"));
const port = freePort();
const url = `http://127.0.0.1:${port}`;
let token = "";

const start = () => startServer(port, directory, { WINDSOCK_ATTACHMENT_QUOTA_MIB: String(2 * megabytes) });

async function post(path: string, body: object | Blob) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      "content-type": body instanceof Blob ? body.type : "application/json",
      ...(token !== "" && { authorization: `Bearer ${token}` }),
    },
    body: body instanceof Blob ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

/** A PDF of 10 MB, as far as an upload looks at it. */
function scan(): Blob {
  const parts: BlobPart[] = ["%PDF-1.7\n"];
  for (let count = 0; count < 150; count += 1) parts.push(crypto.getRandomValues(new Uint8Array(65_536)));
  return new Blob([...parts, "\n%%EOF\n"], { type: "application/pdf" });
}

async function fillSchool(): Promise<void> {
  const account = { email: "olga@bench.example", password: "correct horse battery", name: "Olga Lindner" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" };
  const school = await post("/auth/signup-org", { ...account, organization });
  token = school.tokens.access_token;
  const base = `/orgs/${school.organization.id}/aircraft`;
  const aircraft = await post(base, { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
  const defect = await post(`${base}/${aircraft.id}/defects`, { description: "Left brake drags." });
  const path = `${base}/${aircraft.id}/defects/${defect.id}/attachments?filename=scan.pdf`;
  for (let stored = 0; stored < megabytes; stored += 10) await post(path, scan());
}

/** Makes all databases due again. No server must be running. */
async function forgetScrubs(): Promise<void> {
  const control = createClient({ url: `file:${join(directory, "control.db")}` });
  await control.execute("update tenant_marks set scrubbed_at = null, scrub_place = null");
  await control.execute("update installation set scrubbed_at = null, scrub_place = null");
  control.close();
}

/** Returns the seconds for which the server's event loop could have run, but had no processor. On Linux only. */
async function waited(pid: number): Promise<number> {
  const [, nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8")).split(" ");
  return Number(nanoseconds) / 1e9;
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
  await fillSchool();
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
