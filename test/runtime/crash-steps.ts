/** What a power cut at each step of a task would leave, one after the other. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Installation } from "../support/installation.ts";
import { bundled } from "./bundle.ts";

/** As `crashing.ts` reads them. */
export interface Task {
  name: "sign-up" | "claim" | "student-claim" | "post" | "disable" | "suspend" | "resume" | "job" | "adopt";
  /** The token, the request as JSON, or the argument of the command. */
  argument?: string;
}

/** Closes an installation and its files: libSQL closes a file, and deletes its `-wal`, when its statements are collected. */
export async function closeFiles(installation: Installation, directory: string): Promise<void> {
  await installation.close();
  while ((await readdir(directory, { recursive: true })).some((name) => name.endsWith("-wal"))) {
    Bun.gc(true);
    await setImmediate();
  }
}

/**
 * Runs the task once on a copy of `origin`, and checks the files as they were before each of its steps, and at last those after the
 * response, which `isAcknowledged` says. A process that is killed leaves the same: nothing else reads its memory.
 *
 * @returns the number of steps
 */
export async function atEachStep(
  origin: string | undefined,
  task: Task,
  check: (directory: string, isAcknowledged: boolean) => Promise<void>,
): Promise<number> {
  const [directory, copies] = [
    await mkdtemp(join(tmpdir(), "windsock-crash-")),
    await mkdtemp(join(tmpdir(), "steps-")),
  ];
  try {
    if (origin) await cp(origin, directory, { recursive: true });
    const steps = await run(task, directory, copies);
    for (let step = 1; step <= steps; step += 1) await check(join(copies, String(step)), false);
    await check(directory, true);
    return steps;
  } finally {
    for (const made of [directory, copies]) await rm(made, { recursive: true, force: true });
  }
}

/** @returns the number of steps */
async function run({ name, argument = "" }: Task, directory: string, copies: string): Promise<number> {
  const script = await bundled(join(import.meta.dir, "crashing.ts"));
  const child = spawn(process.execPath, [script, directory, copies, name, argument], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  return new Promise((resolve, reject) =>
    child.on("close", (code) => {
      if (code === 0) resolve(Number(output));
      else reject(new Error(`The process ended with ${code}.`));
    }),
  );
}
