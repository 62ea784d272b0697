/** Runs test files in this process, one test after the other, on the runtime that runs this. */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { collect, everything, type Group, type Test } from "../collect-tests.ts";
import { loadTest } from "./load-test.ts";
import { isRuntimeName, type RuntimeName, whyNot } from "./not-runnable.ts";

/** What the process writes to a file in the end. */
export interface Report {
  passed: number;
  failed: { file: string; name: string; error: string }[];
  /** Tests that this runtime can't run, and why. */
  left: { file: string; name: string; why: string }[];
}

/** Milliseconds that a test or a hook may take. */
const usualLimit = 60_000;

const report: Report = { passed: 0, failed: [], left: [] };

/** @param args a file for the report, the name of the runtime, a pattern of names or "", and test files from the root of the tree */
export async function runTests([results = "", on = "", pattern = "", ...files]: readonly string[]): Promise<void> {
  if (!isRuntimeName(on)) throw new Error(`There is no runtime ${on}.`);
  let current = "";
  const outside = (error: unknown) => fail(current, "(outside of a test)", error);
  process.on("unhandledRejection", outside);
  process.on("uncaughtException", outside);
  await loadTest("test/support/preload.ts");
  for (const file of files) {
    current = file;
    const why = whyNot(on, file);
    if (why !== undefined) {
      report.left.push({ file, name: "(all)", why });
      continue;
    }
    try {
      const group = await within(usualLimit, () => collect(file, () => loadTest(file)));
      await runGroup(group, { file, on, only: new RegExp(pattern) });
    } catch (error) {
      fail(file, "(as it was loaded)", error);
    }
  }
  for (const hook of everything.afterAll) await hook();
  await writeFile(results, JSON.stringify(report));
  process.exit(report.failed.length > 0 ? 1 : 0);
}

interface Run {
  file: string;
  on: RuntimeName;
  /** Runs only tests whose name matches. */
  only: RegExp;
}

function fail(file: string, name: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = error instanceof Error && !text.includes(error.message) ? `${error.message}\n${text}` : text;
  report.failed.push({ file, name, error: message });
  process.stdout.write(`FAILED ${file}: ${name}\n${message}\n\n`);
}

const isTest = (part: Test | Group): part is Test => "body" in part;

const withOuter = (group: Group): Group[] => [group, ...(group.outer ? withOuter(group.outer) : [])];

/** The name with those of the groups around it, but not of the file. */
const fullName = ({ name, group }: Pick<Test, "name" | "group">): string =>
  [...withOuter(group).slice(0, -2).toReversed(), { name }].map((one) => one.name).join(" > ");

const testsOf = ({ parts }: Group): Test[] => parts.flatMap((part) => (isTest(part) ? [part] : testsOf(part)));

async function runGroup(group: Group, run: Run): Promise<void> {
  const { file, on, only } = run;
  const isRun = (test: Test) => only.test(fullName(test)) && whyNot(on, file, fullName(test)) === undefined;
  const tests = testsOf(group);
  const hasHooks = tests.some(isRun);
  try {
    if (hasHooks) for (const hook of group.beforeAll) await within(usualLimit, hook);
  } catch (error) {
    for (const test of tests.filter(isRun)) fail(file, fullName(test), error);
    return;
  }
  for (const part of group.parts) {
    if (!isTest(part)) await runGroup(part, run);
    else if (only.test(fullName(part))) {
      const why = whyNot(on, file, fullName(part));
      if (why === undefined) await runTest(part, file);
      else report.left.push({ file, name: fullName(part), why });
    }
  }
  for (const hook of hasHooks ? group.afterAll : []) await within(usualLimit, hook);
}

async function runTest(test: Test, file: string): Promise<void> {
  const errors: unknown[] = [];
  const attempt = async (part: () => unknown, limit = usualLimit) => {
    try {
      await within(limit, part);
    } catch (error) {
      errors.push(error);
    }
  };
  const groups = withOuter(test.group);
  for (const hook of groups.toReversed().flatMap(({ beforeEach }) => beforeEach)) await attempt(hook);
  if (errors.length === 0) await attempt(test.body, test.limit);
  for (const hook of groups.flatMap(({ afterEach }) => afterEach)) await attempt(hook);
  if (errors.length === 0) report.passed += 1;
  else fail(file, fullName(test), errors[0]);
}

/** @throws what the work throws, or that the time is up */
async function within<T>(limit: number, work: () => T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limit} ms.`)), limit);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
