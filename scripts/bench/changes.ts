/**
 * What streams of changes cost: the server's processor time of drafts and approvals with 200 streams open, two for each of 100 people, half
 * of them owners and half students; memory for each stream, and the time from the answer to the event. The streams are read by this
 * process, whose time is not counted. Each round has none, 200, and none again: how much the second differs from the first is what the
 * measurement itself can't tell.
 *
 *   bun scripts/bench/changes.ts [flights=100] [streams=200] [rounds=3]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newInstallation } from "../../test/support/installation.ts";
import { type Member, newSchool } from "../../test/support/school.ts";
import { printTable, quantile } from "./post-office.ts";
import { RealClock } from "./real-clock.ts";
import { freePort, processorTime, startServer } from "./server.ts";

const [flights = 100, streams = 200, rounds = 3] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), "windsock-changes-"));
const warming = 2;
/** Milliseconds after which all is told that was committed. */
const settled = 700;
const publicUrl = "http://windsock.test";
const port = freePort();

/** Two streams each: an organization sends 200 invites an hour. */
async function prepare() {
  const env = { WINDSOCK_PUBLIC_URL: publicUrl, WINDSOCK_WRITE_RATE: "999999" };
  const installation = await newInstallation({ directory, clock: new RealClock(), checked: false, env });
  const school = await newSchool(installation);
  const readers: Member[] = [];
  for (let made = 0; made < streams / 2; made++)
    readers.push(await school.join([made % 2 === 0 ? "owner" : "student"]));
  const bodies = Array.from({ length: (3 * rounds + warming) * flights }, () => JSON.stringify(school.flightBody()));
  await installation.close();
  return { ...school, readers, bodies };
}

const { orgId, student, instructor, readers, bodies } = await prepare();
const base = `http://127.0.0.1:${port}/orgs/${orgId}`;

/** @returns the flight's id */
async function post(path: string, token: string, body?: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const response = await fetch(`${base}/flights${path}`, {
    method: "POST",
    headers,
    ...(body !== undefined && { body }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data.id;
}

/** When each flight arrived, at the first stream. */
const arrived = new Map<string, number>();

async function follow({ token }: Member, isFirst: boolean, stop: AbortSignal): Promise<void> {
  const response = await fetch(`${base}/changes`, { headers: { authorization: `Bearer ${token}` }, signal: stop });
  const reader = response.body?.getReader();
  if (!response.ok || reader === undefined) throw new Error(`A stream was refused: ${response.status}`);
  const decoder = new TextDecoder();
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (!isFirst) continue;
      const now = performance.now();
      for (const [, id = ""] of decoder.decode(value).matchAll(/"kind":"flight","id":"([^"]+)"/g)) arrived.set(id, now);
    }
  })().catch(() => undefined);
}

const residentKilobytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);

interface Round {
  draft: number;
  approve: number;
  waits: number[];
}

/** 20 flights a second, as fast as a school never is. */
async function round(pid: number): Promise<Round> {
  const ids: string[] = [];
  const waits: number[] = [];
  let before = await processorTime(pid);
  for (let count = 0; count < flights; count++) ids.push(await post("", student.token, bodies.pop()));
  await Bun.sleep(settled);
  const draft = ((await processorTime(pid)) - before) / flights;
  for (const id of ids) await post(`/${id}/submit`, student.token);
  before = await processorTime(pid);
  const answered = new Map<string, number>();
  for (const id of ids) {
    arrived.delete(id);
    await post(`/${id}/approve`, instructor.token);
    answered.set(id, performance.now());
    await Bun.sleep(50);
  }
  await Bun.sleep(settled);
  const approve = ((await processorTime(pid)) - before) / flights;
  for (const [id, at] of answered) {
    const when = arrived.get(id);
    if (when !== undefined) waits.push(Math.max(0, when - at));
  }
  return { draft, approve, waits };
}

const server = await startServer(port, directory, { WINDSOCK_PUBLIC_URL: publicUrl, WINDSOCK_WRITE_RATE: "999999" });
try {
  for (let count = 0; count < warming; count++) await round(server.pid);
  const without: Round[] = [];
  const beside: Round[] = [];
  const again: Round[] = [];
  const memory: number[] = [];
  for (let count = 0; count < rounds; count++) {
    without.push(await round(server.pid));
    const before = await residentKilobytes(server.pid);
    const stop = new AbortController();
    for (const [at, reader] of [...readers, ...readers].entries()) await follow(reader, at === 0, stop.signal);
    await Bun.sleep(settled);
    memory.push(((await residentKilobytes(server.pid)) - before) / streams);
    beside.push(await round(server.pid));
    stop.abort();
    await Bun.sleep(settled);
    again.push(await round(server.pid));
  }
  const mean = (of: (round: Round) => number, figures: readonly Round[]) =>
    figures.reduce((sum, one) => sum + of(one), 0) / figures.length;
  const row = (name: string, of: (round: Round) => number) => {
    const [none, all, second] = [mean(of, without), mean(of, beside), mean(of, again)];
    const ratio = (2 * all) / (none + second);
    return [name, ...[none, second, second / none, all, ratio].map((figure) => figure.toFixed(2))];
  };
  printTable(
    ["processor, ms", "no stream", "no stream again", "ratio", `${streams} streams`, "ratio to both"],
    [row("a draft", ({ draft }) => draft), row("an approval, 20 a second", ({ approve }) => approve)],
  );
  const waits = beside.flatMap((one) => one.waits);
  printTable(
    ["from the answer to the event, ms", "median", "p99", "longest", "memory of a stream, kB"],
    [
      [
        `${waits.length} approvals`,
        quantile(waits, 0.5).toFixed(1),
        quantile(waits, 0.99).toFixed(1),
        quantile(waits, 1).toFixed(1),
        quantile(memory, 0.5).toFixed(1),
      ],
    ],
  );
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
