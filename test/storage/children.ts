import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { closedLater } from "./temporary.ts";

export interface Child {
  process: ChildProcess;
  /** All output until the line `word`, or until the process ends. */
  until(word: string): Promise<string>;
  /** Kills it, as a power cut would, and waits for its end. */
  close(): Promise<void>;
  /** Resolves at its end with the exit code or signal, and all output. */
  ended: Promise<{ how: number | string; output: string }>;
}

/** Runs `child.ts` until the test ends. */
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
