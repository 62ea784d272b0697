/** What a power cut at each step of a task would leave, one after the other. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Installation, newInstallation } from "../support/installation.ts";

/** Closes an installation and its files: libSQL closes a file, and deletes its `-wal`, when its statements are collected. */
export async function closeFiles(installation: Installation, directory: string): Promise<void> {
  await installation.close();
  while ((await readdir(directory, { recursive: true })).some((name) => name.endsWith("-wal"))) {
    Bun.gc(true);
    await setImmediate();
  }
}

/** Work in an installation. It throws unless it is done. */
export type Task = (at: Installation) => Promise<unknown>;

/**
 * Runs the task once on a copy of `origin`, and checks the files as they were before each of its steps, and at last those after its
 * end, which `isAcknowledged` says. A process that is killed leaves the same: nothing else reads its memory. Files that are equal to
 * those before are not checked again: most steps only prepare the next one.
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
    let [steps, before, isAtWork] = [0, "", false];
    const copy = (name: string) => cpSync(directory, join(copies, name), { recursive: true });
    const trace = () => {
      if (!isAtWork) return;
      const digest = digestOf(directory);
      if (digest !== before) copy(String(steps));
      before = digest;
      steps += 1;
    };
    const installation = await newInstallation({
      directory,
      trace,
      checked: false,
      collectGarbage: () => Bun.gc(true),
    });
    isAtWork = true;
    await task(installation);
    isAtWork = false;
    copy("end");
    await installation.close();

    for (let step = 0; step < steps; step += 1)
      if (existsSync(join(copies, String(step)))) await check(join(copies, String(step)), false);
    await check(join(copies, "end"), true);
    return steps;
  } finally {
    for (const made of [directory, copies]) await rm(made, { recursive: true, force: true });
  }
}

/** Of all files but `-shm`, which the next process makes anew. */
function digestOf(directory: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.name.endsWith("-shm"))
      hash.update(`${entry.parentPath}/${entry.name}\n`).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest("hex");
}
