import { setTimeout } from "node:timers/promises";
import { countdown } from "../core/async.ts";
import { seconds } from "../core/clock.ts";
import { isLocked } from "./sqlite-error.ts";

/** Milliseconds for which a locked file is tried again: less than a request may wait. */
const longestWait = seconds(3);

/**
 * Repeats work on a file that another process has locked for a moment: the process of the checks while it migrates or closes
 * the file, or a backup. Connections themselves do not wait (`timeout: 0`), which would block the event loop.
 *
 * @throws the last error, if the file is locked for longer
 */
export async function waitOutLocks<T>(work: () => Promise<T>): Promise<T> {
  const remaining = countdown(longestWait);
  for (let wait = 5; ; wait = Math.min(2 * wait, 100)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || remaining() === 0) throw error;
    }
    await setTimeout(wait);
  }
}
