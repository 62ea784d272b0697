import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { closedLater } from "./temporary.ts";

export interface Child {
  process: ChildProcess;
  /** What it said until it said `word`, or until it ended. */
  until(word: string): Promise<string>;
  /** Ends it at once, as a power cut would, and waits until it is gone. */
  close(): Promise<void>;
  /** When it has ended: its exit code, or the signal it was killed by, and all it said. */
  ended: Promise<{ how: number | string; output: string }>;
}

/** Runs `child.ts`; gone when the test ends. */
export function startChild(...args: string[]): Child {
  const child = spawn(process.execPath, [join(import.meta.dir, "child.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    child.emit("said");
  });
  const ended = once(child, "close").then(([code, signal]) => ({ how: code ?? signal, output }));
  return closedLater({
    process: child,
    async until(word: string) {
      while (!output.split("\n").includes(word)) {
        const over = await Promise.race([once(child, "said").then(() => false), ended.then(() => true)]);
        if (over && !output.split("\n").includes(word)) throw new Error(`It ended without saying ${word}: ${output}`);
      }
      return output;
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  });
}
