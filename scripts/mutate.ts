/**
 * Plants faults in a sample of the source, one at a time, and runs the tests that touch them:
 * `bun scripts/mutate.ts [--count 40] [--seed 1] [--only 'src/modules/'] [--seconds 120]`.
 * A fault that no test notices is a test that is missing, or code that makes no difference. It works in a copy of the tree, which
 * it removes. The sample takes from each folder in turn. `mutate/tests-of.ts` says which tests are run.
 */
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Fault, faultsOf, withFault } from "./mutate/faults.ts";
import { testsOf } from "./mutate/tests-of.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "^src/modules/" },
    /** The longest that the tests of one fault may take. */
    seconds: { type: "string", default: "120" },
  },
});

interface Planted extends Fault {
  file: string;
  text: string;
}

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
    byFolder.set(folderOf(file), [...known, ...faultsOf(text).map((fault) => ({ ...fault, file, text }))]);
  }
  const folders = byKey([...byFolder.values()], random).map((all) => mixed(all, random));
  const most = Math.max(0, ...folders.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => folders.flatMap((all) => all[turn] ?? []))
    .flat()
    .slice(0, count);
}

/** @returns whether all passed; undefined after the time is up */
async function pass(tree: string, tests: readonly string[], until: number): Promise<boolean | undefined> {
  const timeout = until - Date.now();
  if (tests.length === 0) return true;
  if (timeout <= 0) return undefined;
  const run = Bun.spawn(
    [process.execPath, "test", "--bail", "--timeout", "60000", ...tests.map((test) => `./${test}`)],
    {
      ...{ cwd: tree, stdout: "ignore", stderr: "ignore", timeout, killSignal: "SIGKILL" },
      env: { ...process.env, TMPDIR: tree },
    },
  );
  const code = await run.exited;
  return run.signalCode === null ? code === 0 : undefined;
}

/** `tests fail`: without the fault, too. `out of time`: no test has noticed it yet. */
type Outcome = "caught" | "survived" | "tests fail" | "out of time";

/** Whether tests pass without a fault, by their names. Those that fail, too, have noticed nothing. */
const sound = new Map<string, Promise<boolean | undefined>>();

/** Plants the fault, runs its tests, and takes it away. */
async function outcomeOf(tree: string, fault: Planted): Promise<Outcome> {
  const { file, text } = fault;
  const { near, far } = testsOf(file, tests);
  const time = Number(values.seconds) * 1000;
  const until = Date.now() + time;
  await writeFile(join(tree, file), withFault(text, fault));
  let all = near;
  let passed = await pass(tree, near, until);
  if (passed) {
    all = far;
    passed = await pass(tree, far, until);
  }
  await writeFile(join(tree, file), text);
  if (passed === undefined) return "out of time";
  if (passed) return "survived";
  const name = all.join();
  const isSound = sound.get(name) ?? pass(tree, all, Date.now() + time);
  sound.set(name, isSound);
  return (await isSound) === false ? "tests fail" : "caught";
}

const oneLine = (code: string): string => code.replace(/\s+/g, " ").slice(0, 90);

/** `src/a.ts:12 boundary: < → <=: the line` */
function described({ file, text, kind, start, end, by }: Planted): string {
  const line = text.slice(0, start).split("\n").length;
  const whole = text.split("\n")[line - 1] ?? "";
  return `${file}:${line} ${kind}: ${oneLine(text.slice(start, end))} → ${oneLine(by)}   (${oneLine(whole.trim())})`;
}

const tests = new Map<string, string>();
for (const file of files.filter((path) => path.endsWith(".test.ts")))
  tests.set(file, await readFile(join(root, file), "utf8"));
const faults = await sample(Number(values.count), randomOf(Number(values.seed)));

const tree = await mkdtemp(join(tmpdir(), "windsock-mutate-"));
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    rmSync(tree, { recursive: true, force: true });
    process.exit(1);
  });
const results: { fault: Planted; outcome: Outcome }[] = [];
try {
  for (const file of files) await cp(join(root, file), join(tree, file));
  // Not a link: Deno's permissions and the console's bundle look at where a package really is.
  await Bun.$`bun install --frozen-lockfile --silent`.cwd(tree).quiet();
  for (const fault of faults) {
    const begun = Date.now();
    const outcome = await outcomeOf(tree, fault);
    results.push({ fault, outcome });
    console.log(`${outcome.padEnd(15)} ${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s  ${described(fault)}`);
  }
} finally {
  await rm(tree, { recursive: true, force: true });
}

const isCaught = ({ outcome }: { outcome: Outcome }) => outcome === "caught";
const row = (folder: string, all: typeof results) => {
  const caught = all.filter(isCaught).length;
  return { folder, faults: all.length, caught, "%": Math.round((100 * caught) / all.length) };
};
const byFolder = Map.groupBy(results, ({ fault }) => folderOf(fault.file));
console.table([...[...byFolder].sort().map(([folder, all]) => row(folder, all)), row("all", results)]);
