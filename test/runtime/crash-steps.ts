/** Kills a process at each step of its work, one after the other, and checks the data. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Installation } from "../support/installation.ts";
import { bundled } from "./bundle.ts";

export interface Outcome {
  killed: boolean;
  acknowledged: boolean;
}

/** Runs `task` in a process that is killed at the given step. */
export async function crashAt(step: number, directory: string, task: string, token = ""): Promise<Outcome> {
  const script = await bundled(join(import.meta.dir, "crashing.ts"));
  const child = spawn(process.execPath, [script, directory, String(step), task, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  return new Promise((resolve, reject) =>
    child.on("close", (code, signal) => {
      if (code !== 0 && signal !== "SIGKILL") reject(new Error(`The process ended with ${code}.`));
      else resolve({ killed: signal === "SIGKILL", acknowledged: output === "acknowledged" });
    }),
  );
}

/** Closes an installation and its files: libSQL closes a file, and deletes its `-wal`, when its statements are collected. */
export async function closeFiles(installation: Installation, directory: string): Promise<void> {
  await installation.close();
  while ((await readdir(directory, { recursive: true })).some((name) => name.endsWith("-wal"))) {
    Bun.gc(true);
    await setImmediate();
  }
}

/** Kills at step 1, 2, 3 … until the task finishes. @returns the number of steps */
export async function atEachStep(check: (step: number, directory: string) => Promise<Outcome>): Promise<number> {
  for (let step = 1; ; step += 1) {
    const directory = await mkdtemp(join(tmpdir(), "windsock-crash-"));
    try {
      const { killed } = await check(step, directory);
      if (!killed) return step - 1;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
