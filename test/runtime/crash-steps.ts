/** What a power cut at each step of a task would leave, one after the other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Installation } from "../support/installation.ts";
import { bundled } from "./bundle.ts";

/** As `crashing.ts` reads them. */
export interface Task {
  name:
    | "sign-up"
    | "claim"
    | "student-claim"
    | "post"
    | "disable"
    | "suspend"
    | "resume"
    | "job"
    | "adopt"
    | "rebuild"
    | "export";
  /** The token, the request as JSON, or the argument of the command. */
  argument?: string;
  /**
   * Names of steps at which the process is killed as well (SIGKILL), each in a run of its own: that the copies of the files are what a
   * kill leaves. With `KILLS=all` in the environment it is killed at each step, which takes a process each, and minutes.
   */
  kills?: readonly string[];
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
 * response, which `isAcknowledged` says.
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
    const all = Array.from({ length: steps }, (_, index) => String(index + 1));
    for (const step of process.env.KILLS === "all" ? all : (task.kills ?? []))
      await afterKill(origin, { task, step, check: (killed) => check(killed, false) });
    return steps;
  } finally {
    for (const made of [directory, copies]) await rm(made, { recursive: true, force: true });
  }
}

interface Kill {
  task: Task;
  /** Its name, or its number. */
  step: string;
  check(directory: string): Promise<void>;
}

async function afterKill(origin: string | undefined, { task, step, check }: Kill): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-kill-"));
  try {
    if (origin) await cp(origin, directory, { recursive: true });
    const end = await ended(task, directory, `kill=${step}`);
    if (end !== "SIGKILL") throw new Error(`The process ended with ${end} and without the step ${step}.`);
    await check(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @returns the number of steps */
async function run(task: Task, directory: string, copies: string): Promise<number> {
  const said = { output: "" };
  const end = await ended(task, directory, copies, said);
  if (end !== 0) throw new Error(`The process ended with ${end}.`);
  return Number(said.output);
}

/** @returns the exit code, or the signal */
async function ended(
  { name, argument = "" }: Task,
  directory: string,
  copies: string,
  said = { output: "" },
): Promise<number | string> {
  const script = await bundled(join(import.meta.dir, "crashing.ts"));
  const child = spawn(process.execPath, [script, directory, copies, name, argument], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.on("data", (text) => {
    said.output += text;
  });
  const [code, signal] = await once(child, "close");
  return code ?? signal;
}
