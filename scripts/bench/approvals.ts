/**
 * What drafting, submitting and approving a flight take: the first of each after a start, and later ones, in processor time of the
 * server and at a steady pace with the turns of its event loop.
 *
 *   bun scripts/bench/approvals.ts [cycles=300] [starts=5] [a second=33]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newInstallation } from "../../test/support/installation.ts";
import { newSchool } from "../../test/support/school.ts";
import { printTable, quantile } from "./post-office.ts";
import { RealClock } from "./real-clock.ts";
import { freePort, processorTime, startServer } from "./server.ts";

const [cycles = 300, starts = 5, pace = 33] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), "windsock-approvals-"));
const turnsFile = `${directory}.turns`;
const publicUrl = "http://windsock.test";
const port = freePort();

/** A school with submitted flights for the starts, and the bodies of further ones. */
async function prepare() {
  const env = { WINDSOCK_PUBLIC_URL: publicUrl };
  const installation = await newInstallation({ directory, clock: new RealClock(), checked: false, env });
  const school = await newSchool(installation);
  const submitted: string[] = [];
  for (let made = 0; made < starts; made++) submitted.push((await school.submitFlight(school.student)).id);
  const bodies = Array.from({ length: starts + 3 * cycles }, () => JSON.stringify(school.flightBody()));
  await installation.close();
  return { ...school, submitted, bodies };
}

const { orgId, student, instructor, submitted, bodies } = await prepare();

type Verb = "draft" | "submit" | "approve";
const verbs: readonly Verb[] = ["draft", "submit", "approve"];

/** @returns the flight's id */
async function post(path: string, token: string, body?: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const url = `http://127.0.0.1:${port}/orgs/${orgId}/flights${path}`;
  const response = await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const { data } = await response.json();
  return data.id;
}

const draft = () => post("", student.token, bodies.pop());
const submit = (id: string) => post(`/${id}/submit`, student.token);
const approve = (id: string) => post(`/${id}/approve`, instructor.token);

const start = () =>
  startServer(port, directory, {
    WINDSOCK_PUBLIC_URL: publicUrl,
    WINDSOCK_WRITE_RATE: "999999",
    BUN_OPTIONS: `--preload=${join(import.meta.dir, "loop-turns.ts")}`,
    LOOP_TURNS: turnsFile,
  });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (figures: readonly number[]) => quantile(figures, 0.5).toFixed(1);

/** The first approval after each start, and what it took of the processor. */
async function afterStarts(): Promise<void> {
  const first: { ms: number; cpu: number; draft: number }[] = [];
  for (const id of submitted) {
    const { pid, stop } = await start();
    await Bun.sleep(1500); // its first housekeeping ends
    const before = await processorTime(pid);
    const ms = await timed(() => approve(id));
    const cpu = (await processorTime(pid)) - before;
    first.push({ ms, cpu, draft: await timed(draft) });
    await stop();
  }
  printTable(
    ["after a start", "ms, median", "least", "most", "processor, ms"],
    [
      ["the first approval", ...figures(first.map(({ ms }) => ms)), median(first.map(({ cpu }) => cpu))],
      ["the first draft after it", ...figures(first.map((one) => one.draft)), ""],
    ],
  );
}

const figures = (all: readonly number[]) => [median(all), Math.min(...all).toFixed(1), Math.max(...all).toFixed(1)];

/** Each verb for many flights in turn, so that the processor's time is that of one verb. */
async function processor(pid: number): Promise<void> {
  const flights: string[] = [];
  const steps: Record<Verb, (at: number) => Promise<unknown>> = {
    draft: async () => flights.push(await draft()),
    submit: (at) => submit(flights[at] ?? ""),
    approve: (at) => approve(flights[at] ?? ""),
  };
  const took = new Map<Verb, number>();
  for (let round = 0; round < 2; round++) {
    flights.length = 0; // the first round warms up
    for (const verb of verbs) {
      const before = await processorTime(pid);
      for (let at = 0; at < cycles; at++) await steps[verb](at);
      took.set(verb, ((await processorTime(pid)) - before) / cycles);
    }
  }
  const all = [...took.values()];
  const sum = all.reduce((sum, one) => sum + one, 0);
  printTable(["", ...verbs, "together"], [["processor, ms", ...all.map((one) => one.toFixed(2)), sum.toFixed(2)]]);
}

/** So many flights a second are drafted, submitted and approved. */
async function steady(): Promise<void> {
  const began = performance.now();
  const latencies: Record<Verb, number[]> = { draft: [], submit: [], approve: [] };
  const measured = async <T>(verb: Verb, work: () => Promise<T>): Promise<T> => {
    const asked = performance.now();
    const result = await work();
    latencies[verb].push(performance.now() - asked);
    return result;
  };
  const flights: Promise<unknown>[] = [];
  for (let at = 0; at < cycles; at++) {
    const wait = began + (at * 1000) / pace - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    flights.push(
      (async () => {
        const id = await measured("draft", draft);
        await measured("submit", () => submit(id));
        await measured("approve", () => approve(id));
      })(),
    );
  }
  await Promise.all(flights);
  const ms = (verb: Verb, share: number) => quantile(latencies[verb], share).toFixed(1);
  printTable(
    [`${pace} flights a second`, "median, ms", "p99, ms", "longest, ms"],
    verbs.map((verb) => [verb, ms(verb, 0.5), ms(verb, 0.99), ms(verb, 1)]),
  );
}

try {
  await afterStarts();
  const { pid, stop } = await start();
  console.log();
  await processor(pid);
  console.log();
  const from = Date.now();
  await steady();
  const until = Date.now();
  await stop();
  const turns = (await readFile(turnsFile, "utf8")).split("\n").filter((line) => line !== "");
  const meanwhile = turns.map((line) => JSON.parse(line)).filter(({ at }) => at >= from && at <= until);
  const longest = meanwhile.map(({ took }) => took).sort((a, b) => b - a);
  console.log(
    `\nthe longest turns meanwhile, ms: ${longest
      .slice(0, 5)
      .map((took) => took.toFixed(1))
      .join(", ")}`,
  );
} finally {
  await rm(directory, { recursive: true, force: true });
  await rm(turnsFile, { force: true });
}
process.exit();
