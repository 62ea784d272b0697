/**
 * Runs the tests of `test/http` on the three runtimes of Windsock: Bun and Deno from source, and an executable that is made as the
 * product is, with the tests in it. Their requests go over HTTP, through the listener of the runtime. `--on server` is Bun with the
 * databases on a libSQL server.
 *
 *   bun scripts/test-runtimes.ts [--on bun,deno,executable,server] [--only PATTERN] [--in-process] [path…]
 *
 * Each folder has a process of its own; files that are named share one. Tests that a runtime can't run are in `runtimes/not-runnable.ts`.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import deno from "../deno.json" with { type: "json" };
import { denoPath } from "../test/runtime/runtimes.ts";
import { compileTests } from "./runtimes/compile-tests.ts";
import { isRuntimeName, type RuntimeName, whyNot } from "./runtimes/not-runnable.ts";
import type { Report } from "./runtimes/run-tests.ts";

const root = join(import.meta.dir, "..");
const program = join(import.meta.dir, "runtimes/program.ts");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    on: { type: "string", default: "bun,deno,executable" },
    /** A pattern of the names of tests. */
    only: { type: "string", default: "" },
    /** Calls the application in the process, as `bun test` does. */
    "in-process": { type: "boolean", default: false },
  },
});

const wanted = positionals.length > 0 ? positionals.map((path) => path.replace(/^\.?\//, "")) : ["test/http"];
const files = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)]
  .filter((file) => wanted.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)))
  .sort();
const areFiles = positionals.length > 0 && positionals.every((path) => path.endsWith(".test.ts"));
const folders = areFiles ? new Map([["the files named", files]]) : Map.groupBy(files, dirname);
if (files.length === 0) throw new Error(`There are no tests in ${wanted.join(", ")}.`);

/** Not in memory: Deno rejects files in /dev, and programs may not be run from there. */
const scratch = await mkdtemp(join(tmpdir().startsWith("/dev/") ? "/tmp" : tmpdir(), "windsock-runtimes-"));
process.on("exit", () => Bun.spawnSync(["rm", "-rf", scratch]));

const executable = join(scratch, "program");

const bun = [process.execPath, "--preload", join(import.meta.dir, "runtimes/bun-preload.ts"), program];

/** How a runtime starts the program. */
const starts: Readonly<Record<RuntimeName, readonly string[]>> = {
  bun,
  server: bun,
  // With the permissions that an operator gives it.
  deno: [
    denoPath,
    ...deno.tasks.start.split(" ").slice(1, -1),
    `--import-map=${join(import.meta.dir, "runtimes/deno-imports.json")}`,
    program,
  ],
  executable: [executable],
};

const environment = (on: RuntimeName): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_"))),
  NO_COLOR: "1",
  ...(!values["in-process"] && { WINDSOCK_TESTS_OVER_HTTP: "1" }),
  ...(on === "server" && { WINDSOCK_TESTS_ON_SERVER: "1" }),
});

/** Runs the files in one process. */
async function runIn(on: RuntimeName, folder: string, all: readonly string[]): Promise<Report> {
  const results = join(scratch, "report.json");
  const data = await mkdtemp(join(on !== "deno" && existsSync("/dev/shm") ? "/dev/shm" : scratch, "windsock-data-"));
  const child = Bun.spawn([...starts[on], "run-tests", results, on, values.only, ...all], {
    ...{ cwd: root, stdin: "ignore", stdout: "inherit", stderr: "inherit" },
    env: { ...environment(on), TMPDIR: data },
  });
  const code = await child.exited;
  await rm(data, { recursive: true, force: true });
  const report = await readFile(results, "utf8").catch(() => undefined);
  await rm(results, { force: true });
  if (report !== undefined) return JSON.parse(report);
  const error = `The process ended with ${child.signalCode ?? code}, without a report.`;
  return { passed: 0, failed: [{ file: folder, name: "(all)", error }], left: [] };
}

const totals: { runtime: RuntimeName; run: number; passed: number; failed: number; left: number; seconds: number }[] =
  [];

for (const on of values.on.split(",")) {
  if (!isRuntimeName(on)) throw new Error(`There is no runtime ${on}.`);
  // As an operator does: Deno has no bundler for the console.
  if (on === "deno") await import("./build-console.ts");
  if (on === "executable") {
    await compileTests(
      files.filter((file) => whyNot(on, file) === undefined),
      executable,
    );
  }
  const begun = performance.now();
  const all: Report = { passed: 0, failed: [], left: [] };
  for (const [folder, inFolder] of folders) {
    const start = performance.now();
    const { passed, failed, left } = await runIn(on, folder, inFolder);
    all.passed += passed;
    all.failed.push(...failed);
    all.left.push(...left);
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(
      `${on}, ${folder}: ${passed} passed, ${failed.length} failed, ${left.length} not runnable, ${seconds} s`,
    );
  }
  for (const { file, name, why } of all.left) console.log(`${on} can't run ${file}: ${name}: ${why}`);
  for (const { file, name } of all.failed) console.log(`${on} FAILED ${file}: ${name}`);
  totals.push({
    runtime: on,
    run: all.passed + all.failed.length,
    passed: all.passed,
    failed: all.failed.length,
    left: all.left.length,
    seconds: Math.round((performance.now() - begun) / 1000),
  });
}

console.table(totals);
process.exitCode = totals.some(({ failed, run }) => failed > 0 || run === 0) ? 1 : 0;
