/**
 * Plants faults in a sample of the source, one at a time, and runs the tests that touch them:
 * `bun scripts/mutate.ts [--count 40] [--seed 1] [--only 'src/modules/'] [--seconds 120] [--jobs 1] [--results FILE]`.
 * A fault that no test notices is a test that is missing, or code that makes no difference. It works in copies of the tree, which
 * it removes. The sample takes from each folder in turn. `mutate/tests-of.ts` says which tests are run, and `mutate/equivalent.ts`
 * which faults make no difference. With a
 * file of results, a run that was stopped is gone on with: what the file has is not tried again.
 */
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { openApiDocument } from "../src/http/openapi.ts";
import { closeInstallations, newInstallation } from "../test/support/installation.ts";
import { checkTests, type Planted, type Result, tried } from "./mutate/alone.ts";
import { whyEquivalent } from "./mutate/equivalent.ts";
import { faultsOf } from "./mutate/faults.ts";
import { resultsIn } from "./mutate/results.ts";
import { testsOf } from "./mutate/tests-of.ts";
import { together } from "./mutate/together.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "^src/modules/" },
    /** The longest that the tests of one fault may take. */
    seconds: { type: "string", default: "120" },
    /** Faults that are tried at the same time, each in a copy of its own. */
    jobs: { type: "string", default: "1" },
    /** Where results are kept, a line each (`mutate/results.ts`). */
    results: { type: "string" },
  },
});

const root = join(import.meta.dir, "..");
const files = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard"], { cwd: root })
  .stdout.toString()
  .split("\n")
  .filter((file) => file !== "");

/** `src/modules/finance`, `src/http` */
const folderOf = (file: string): string => /^src\/(modules\/)?[^/]+/.exec(file)?.[0] ?? file;

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}

function byKey<T>(all: readonly T[], key: (one: T) => number): T[] {
  const keyed = all.map((one) => ({ one, key: key(one) }));
  return keyed.sort((a, b) => b.key - a.key).map(({ one }) => one);
}

/** In a random order, in which each kind is as likely to come first, however many there are of it. */
function mixed(all: readonly Planted[], random: () => number): Planted[] {
  const ofKind = Map.groupBy(all, ({ kind }) => kind);
  return byKey(all, ({ kind }) => random() ** (ofKind.get(kind)?.length ?? 1));
}

/** Takes from each folder in turn. Not from tables: the databases are made by the migrations. */
async function sample(count: number, random: () => number): Promise<Planted[]> {
  const only = new RegExp(values.only);
  const byFolder = new Map<string, Planted[]>();
  for (const file of files.filter((path) => /^src\/.*(?<!\.d|\.tables)\.ts$/.test(path) && only.test(path))) {
    const text = await readFile(join(root, file), "utf8");
    const known = byFolder.get(folderOf(file)) ?? [];
    byFolder.set(folderOf(file), [
      ...known,
      ...faultsOf(text).map((fault) => ({ ...fault, id: 0, file, text, tests: [] })),
    ]);
  }
  const folders = byKey([...byFolder.values()], random).map((all) => mixed(all, random));
  const most = Math.max(0, ...folders.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => folders.flatMap((all) => all[turn] ?? []))
    .flat()
    .slice(0, count)
    .map((fault, id) => ({ ...fault, id, tests: testsOf(fault.file, tests, sources) }));
}

const oneLine = (code: string): string => code.replace(/\s+/g, " ").slice(0, 90);

/** The number of the fault's line, from 1, and its text. */
function lineOf({ text, start }: Planted): { line: number; whole: string } {
  const line = text.slice(0, start).split("\n").length;
  return { line, whole: text.split("\n")[line - 1] ?? "" };
}

/** `boundary: < → <=   (the line)` */
function changeOf(fault: Planted): string {
  const { text, kind, start, end, by } = fault;
  return `${kind}: ${oneLine(text.slice(start, end))} → ${oneLine(by)}   (${oneLine(lineOf(fault).whole.trim())})`;
}

const described = (fault: Planted): string => `${fault.file}:${lineOf(fault).line} ${changeOf(fault)}`;

/** Their texts, by their paths. */
async function textsOf(chosen: RegExp): Promise<Map<string, string>> {
  const paths = files.filter((path) => chosen.test(path));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), "utf8")] as const)),
  );
}

const tests = await textsOf(/\.test\.ts$/);
const sources = await textsOf(/^src\/.*\.ts$/);
const kept = await resultsIn(values.results);
const results: Result[] = [];
const faults: Planted[] = [];
for (const fault of await sample(Number(values.count), randomOf(Number(values.seed)))) {
  const why = whyEquivalent(fault.file, { kind: fault.kind, line: lineOf(fault).whole });
  const known = kept.of(fault.file, changeOf(fault));
  if (why !== undefined) console.log(`equivalent   ${described(fault)}   ${why}`);
  else if (known) results.push({ fault, ...known });
  else faults.push(fault);
}

const base = await mkdtemp(join(tmpdir(), "windsock-mutate-"));
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    rmSync(base, { recursive: true, force: true });
    process.exit(1);
  });

/** Making it takes most of the time of a first test, and a response must be as it says without the fault. */
const documentFile = join(base, "document.json");
const { app } = await newInstallation({ checked: false });
await writeFile(documentFile, JSON.stringify(openApiDocument(app.routes)));
await closeInstallations();

const begun = Date.now();
function done(result: Result): void {
  results.push(result);
  kept.add(result, changeOf(result.fault));
  const seconds = ((Date.now() - begun) / 1000).toFixed(0).padStart(5);
  const by = result.by ? `   [${result.by.file}: ${result.by.name}]` : "";
  console.log(`${result.outcome.padEnd(11)} ${seconds} s  ${described(result.fault)}${by}`);
}

/** Tries faults in a copy of the tree: together those that can be switched, then the others one after the other. */
async function tryThem(tree: string, planted: readonly Planted[]): Promise<void> {
  for (const file of files) await cp(join(root, file), join(tree, file));
  // Not a link: Deno's permissions and the console's bundle look at where a package really is.
  await Bun.$`bun install --frozen-lockfile --silent`.cwd(tree).quiet();
  const copy = { tree, documentFile };
  const ofTests = files.filter((file) => /^test\/.*\.ts$/.test(file));
  const alone: Result[] = [];
  for (const fault of await together(copy, planted, ofTests, done)) {
    const result = await tried(copy, fault, Number(values.seconds) * 1000);
    alone.push(result);
    done(result);
  }
  await checkTests(copy, alone, (result) => kept.add(result, changeOf(result.fault)));
}

try {
  const jobs = Number(values.jobs);
  const folders = [...new Set(faults.map(({ file }) => folderOf(file)))];
  const ofJob = (job: number) => faults.filter(({ file }) => folders.indexOf(folderOf(file)) % jobs === job);
  const trees = Array.from({ length: jobs }, (_, job) => join(base, String(job)));
  await Promise.all(trees.map((tree, job) => tryThem(tree, ofJob(job))));
} finally {
  await rm(base, { recursive: true, force: true });
}

const isCaught = ({ outcome }: Result) => outcome === "caught";
const row = (folder: string, all: readonly Result[]) => {
  const caught = all.filter(isCaught).length;
  return { folder, faults: all.length, caught, "%": Math.round((100 * caught) / all.length) };
};
const counted = results.filter(({ outcome }) => outcome !== "no fault");
const byFolder = Map.groupBy(counted, ({ fault }) => folderOf(fault.file));
for (const { fault, outcome } of counted.filter((result) => !isCaught(result)))
  console.log(`${outcome.padEnd(11)} ${described(fault)}`);
console.table([...[...byFolder].sort().map(([folder, all]) => row(folder, all)), row("all", counted)]);
