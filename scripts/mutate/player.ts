/**
 * Runs in the copy of the tree: runs each test once without a fault, and then with each fault that it came by, one at a time. A fault is
 * caught if the test fails with it, and passes again without it. Reads a `Plan`, and prints a `Report` on each line.
 */
import process from "node:process";
import { collect, everything, type Group, type Test } from "../collect-tests.ts";

export interface Plan {
  /** Test files in their order, by their absolute paths, with the faults that they may catch. */
  files: { file: string; faults: number[] }[];
}

export type Report =
  | { caught: number; by: string; file: string }
  /** Sent before a test is run with a fault: after it, the process may hang. */
  | { trying: number; by: string; file: string }
  | { played: string }
  /** Not decided here: its place was come by when modules were loaded, or only once. */
  | { fixed: number };

const report = (line: Report): void => console.log(`@${JSON.stringify(line)}`);

let on: number | undefined;
const cameBy = new Set<number>();
Object.assign(globalThis, {
  isFaulty(id: number): boolean {
    cameBy.add(id);
    return id === on;
  },
});
// Some tests reject a promise that nobody waits for any more once they have failed.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

const withOuter = (group: Group): Group[] => [group, ...(group.outer ? withOuter(group.outer) : [])];

/** Rejects when the time is up. @param limit in milliseconds */
const within = <T>(limit: number, work: T | Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error("The time is up.")), limit).unref();
    }),
  ]);

/** In milliseconds, for each part of a test that has no fault. */
const longest = 90_000;

/** @param limit for each hook and the body, in milliseconds */
async function passes({ body, group }: Test, limit: number, fault?: number): Promise<boolean> {
  on = fault;
  cameBy.clear();
  let passed = true;
  const attempt = async (part: () => unknown) => {
    try {
      await within(limit, part());
    } catch {
      passed = false;
    }
  };
  const groups = withOuter(group);
  for (const hook of groups.toReversed().flatMap(({ beforeEach }) => beforeEach)) await attempt(hook);
  if (passed) await attempt(body);
  // In the end they close the databases, so they must not fail with the fault.
  on = undefined;
  for (const hook of groups.flatMap(({ afterEach }) => afterEach)) await attempt(hook);
  return passed;
}

const alive = new Set<number>();
const fixed = new Set<number>();

function setAside(ids: Iterable<number>): void {
  for (const id of ids) {
    if (fixed.has(id) || !alive.has(id)) continue;
    fixed.add(id);
    report({ fixed: id });
  }
}

async function play(test: Test, file: string, faults: readonly number[]): Promise<void> {
  if (!faults.some((fault) => alive.has(fault))) return;
  const begun = Date.now();
  const isSound = await passes(test, longest);
  // With a fault, a test that waits for what never comes need not wait for long.
  const limit = Math.min(longest, 10_000 + 5 * (Date.now() - begun));
  const found = faults.filter((fault) => alive.has(fault) && cameBy.has(fault));
  if (!isSound) return;
  for (const fault of found) {
    const by = test.name;
    report({ trying: fault, by, file });
    const passed = await passes(test, limit, fault);
    if (!cameBy.has(fault)) setAside([fault]);
    else if (!passed && (await passes(test, limit))) {
      alive.delete(fault);
      report({ caught: fault, by, file });
    }
  }
}

async function playGroup(
  { beforeAll, parts, afterAll }: Group,
  file: string,
  faults: readonly number[],
): Promise<void> {
  cameBy.clear();
  for (const hook of beforeAll) await within(longest, hook());
  setAside(cameBy);
  for (const part of parts)
    if ("body" in part) await play(part, file, faults);
    else await playGroup(part, file, faults);
  for (const hook of afterAll) await within(longest, hook());
}

const plan: Plan = JSON.parse(await Bun.stdin.text());
for (const { faults } of plan.files) for (const fault of faults) alive.add(fault);
await import("../../test/support/preload.ts");
// It has loaded nearly all modules: what was come by is not come by again, so no test is run for it here.
setAside(cameBy);
for (const id of cameBy) alive.delete(id);
for (const { file, faults } of plan.files) {
  if (faults.some((fault) => alive.has(fault))) {
    try {
      cameBy.clear();
      const group = await within(longest, collect(file));
      setAside(cameBy);
      await playGroup(group, file, faults);
    } catch (error) {
      console.log(`${file}: ${error}`);
    }
  }
  report({ played: file });
}
for (const hook of everything.afterAll) await hook();
process.exit(0);
