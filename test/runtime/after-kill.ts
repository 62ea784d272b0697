/** That the files which `atEachStep` copies are what a process leaves that is killed there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundle.ts";

interface Kill {
  task: "adopt" | "rebuild" | "export" | "job";
  argument: string;
  /** The step before which the process is killed, by its name. */
  step: string;
}

/** Runs a task in a process on a copy of `origin`, kills it at a step (SIGKILL), and checks the files. */
export async function afterKill(
  origin: string,
  { task, argument, step }: Kill,
  check: (directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-kill-"));
  try {
    await cp(origin, directory, { recursive: true });
    const script = await bundled(join(import.meta.dir, "crashing.ts"));
    const child = spawn(process.execPath, [script, directory, step, task, argument], { stdio: "inherit" });
    const [code, signal] = await once(child, "close");
    if (signal !== "SIGKILL") throw new Error(`The process ended with ${code ?? signal}, without the step ${step}.`);
    await check(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
