import { stat } from "node:fs/promises";
import { minutes } from "../../core/clock.ts";
import type { Command } from "../../core/task-process.ts";
import { CheckProcess } from "./check-process.ts";
import { type Checker, createChecker } from "./checker.ts";
import type { Task } from "./messages.ts";

/** The slowest reading that is waited for, in bytes per millisecond: 1 MB/s. */
const slowest = 1000;

/** The tasks that write a whole file. */
const isCopy: ReadonlySet<Task["kind"]> = new Set(["copy", "stage", "seal-school", "open-school", "prepare-school"]);

/**
 * Reads files in processes of their own. libSQL ends the process that reads text which is not UTF-8, and reading a large
 * file would stop all requests.
 */
export function checkerInProcesses(command: Command): Checker {
  // Two, so that small files do not wait for a large one.
  const [first, second] = [new CheckProcess(command), new CheckProcess(command)];
  const background = new CheckProcess(command, true);
  const copies = new CheckProcess(command, true);
  return createChecker(
    async (task, onTable) => {
      const { size } = await stat(task.path);
      if (task.kind === "scrub") return background.perform(task, minutes(1) + size / slowest);
      // It reads the file three times, and writes it.
      if (isCopy.has(task.kind)) return copies.perform(task, minutes(10) + (4 * size) / slowest, onTable);
      return (second.pending < first.pending ? second : first).perform(task, minutes(1) + size / slowest);
    },
    () => {
      first.close();
      second.close();
      background.close();
      copies.close();
    },
    () => copies.close(),
  );
}
