/** Runs the tests of one fault after the other, each time in a new process. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Fault, withFault } from "./faults.ts";

export interface Planted extends Fault {
  id: number;
  file: string;
  text: string;
  /** Those that touch it (`tests-of.ts`). */
  tests: string[];
}

/** Data directories lie in memory where there is room, as in `scripts/test`. */
export const newDataDirectory = (): Promise<string> =>
  mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "windsock-mutate-"));

export interface Copy {
  tree: string;
  documentFile: string;
}

export interface Failed {
  file: string;
  name: string;
}

interface Run {
  /** Undefined after the time is up, for the tests or for one of them. */
  passed?: boolean;
  failed: Failed[];
}

/** Runs the tests in their order, in one process: most of the time goes into its first test. */
async function run({ tree, documentFile }: Copy, args: readonly string[], timeout: number): Promise<Run> {
  const data = await newDataDirectory();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...args], {
    ...{ cwd: tree, stdout: "ignore", stderr: "pipe", timeout, killSignal: "SIGKILL" },
    env: { ...process.env, TMPDIR: data, WINDSOCK_DOCUMENT: documentFile },
  });
  const [code, output] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  await rm(data, { recursive: true, force: true });
  const isOver = child.signalCode !== null || output.includes("this test timed out after");
  return { ...(!isOver && { passed: code === 0 }), failed: failedIn(output) };
}

/** Reads the names out of what the tests print: `test/unit/a.test.ts:`, then `(fail) group > name [12.00ms]`. */
function failedIn(output: string): Failed[] {
  const failed: Failed[] = [];
  let file = "";
  for (const line of output.split("\n")) {
    file = /^(test\/\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    const name = /^\(fail\) (.*?)( \[[\d.]+m?s\])?$/.exec(line)?.[1];
    if (name !== undefined) failed.push({ file, name });
  }
  return failed;
}

/**
 * `no fault`: the modules can't be loaded with it. `tests fail`: without the fault, too, or none by its name. `out of time`: no test has
 * noticed it yet.
 */
export type Outcome = "caught" | "survived" | "no fault" | "tests fail" | "out of time";

export interface Result {
  fault: Planted;
  outcome: Outcome;
  /** The test that noticed it. */
  by?: Failed;
}

/** Plants the fault, runs its tests up to the first that fails, and takes it away. */
export async function tried(copy: Copy, fault: Planted, timeout: number): Promise<Result> {
  const { file, text, tests } = fault;
  if (tests.length === 0) return { fault, outcome: "survived" };
  await writeFile(join(copy.tree, file), withFault(text, fault));
  const { passed, failed } = (await loads(copy))
    ? await run(copy, ["--bail", ...tests.map((test) => `./${test}`)], timeout)
    : { passed: null, failed: [] };
  await writeFile(join(copy.tree, file), text);
  if (passed === null) return { fault, outcome: "no fault" };
  if (passed === undefined) return { fault, outcome: "out of time" };
  if (passed) return { fault, outcome: "survived" };
  const [by] = failed;
  return by ? { fault, outcome: "caught", by } : { fault, outcome: "tests fail" };
}

/** `--bail` does not stop at files that can't be loaded. */
const loads = async ({ tree }: Copy): Promise<boolean> =>
  (await Bun.$`${process.execPath} test/support/installation.ts`.cwd(tree).nothrow().quiet()).exitCode === 0;

const escaped = (name: string): string => name.replaceAll(" > ", " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const same = (one: Failed, other: Failed): boolean => one.file === other.file && one.name === other.name;

/** Runs the tests that noticed faults once without one: those that fail have noticed nothing. */
export async function checkTests(copy: Copy, all: readonly Result[], changed: (result: Result) => void): Promise<void> {
  const noticed = all.flatMap(({ by }) => by ?? []);
  if (noticed.length === 0) return;
  const names = new Set(noticed.map(({ name }) => escaped(name)));
  const paths = new Set(noticed.map(({ file }) => `./${file}`));
  const { failed } = await run(copy, ["-t", `^(${[...names].join("|")})$`, ...paths], 30 * 60_000);
  for (const result of all) {
    const { by } = result;
    if (by === undefined || !failed.some((one) => same(one, by))) continue;
    result.outcome = "tests fail";
    changed(result);
    console.log(`tests fail without a fault: ${by.file} ${by.name}`);
  }
}
