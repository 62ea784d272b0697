import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { seconds } from "../../core/clock.ts";
import { Mutex } from "../mutex.ts";
import { EndsReader } from "./checker.ts";
import { Message, type Result, type Task } from "./messages.ts";

/** How to start the process: a file and its arguments. */
export interface CheckCommand {
  file: string;
  args: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The process ends after this time without a task. */
const idleTime = seconds(5);

/** The last characters of the process's error output that a message shows. */
const shownOutput = 500;

/** Signals that another process sends, such as the kernel's when memory is short. */
const sent = new Set<string | null>(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

/** Returns the environment without the secret, which no task needs. */
export const environmentOfChild = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_")));

/** One process that reads files which may be damaged: one task at a time, started when it is needed. */
export class CheckProcess {
  readonly #command: CheckCommand;
  readonly #isBackground: boolean;
  readonly #mutex = new Mutex();
  #child: Child | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** The tasks that are not finished. */
  pending = 0;

  /** @param isBackground its tasks give way to everything else on the machine */
  constructor(command: CheckCommand, isBackground = false) {
    this.#command = command;
    this.#isBackground = isBackground;
  }

  /**
   * @param limit milliseconds after which the process is killed
   * @throws EndsReader the file ended the process
   * @throws Error      the process can't be started, took too long, or was ended by another process
   */
  async perform(task: Task, limit: number): Promise<Result> {
    this.pending += 1;
    try {
      return await this.#mutex.run(() => this.#perform(task, limit));
    } finally {
      this.pending -= 1;
    }
  }

  /** Ends the process. The tasks that are not finished throw. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
  }

  async #perform(task: Task, limit: number): Promise<Result> {
    if (this.#closed) throw new Error("the program is stopping");
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    const child = this.#child;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, limit);
    try {
      return await resultOf(child, task);
    } catch (error) {
      if (isLate) throw new Error(`it was not finished within ${Math.round(limit / 1000)} s`);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#idle = setTimeout(() => this.#endIdle(), idleTime).unref();
    }
  }

  #endIdle(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #start(): Child {
    const { file, args } = this.#command;
    const child = spawn(file, args, {
      env: environmentOfChild(),
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (this.#isBackground && child.pid !== undefined) giveWay(child.pid);
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.on("error", forget).on("exit", forget);
    child.stdin.on("error", () => undefined); // the end of the process is reported instead
    return child;
  }
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not permitted, or not known to the system.
  }
}

/** Sends a task and waits for its result, or for the end of the process. */
function resultOf(child: Child, task: Task): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let table = "";
  let output = "";
  const lines = createInterface({ input: child.stdout });
  const onOutput = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-shownOutput);
  };
  const onError = ({ message }: Error) => reject(new Error(`the process for it can't be started: ${message}`));
  const onClose = (code: number | null, signal: string | null) => {
    if (signal !== null && !sent.has(signal))
      reject(new EndsReader(`reading it${table && ` (${table})`} ends the process with ${signal}`));
    else reject(new Error(`the process for it ended with ${signal ?? code}: ${output.trim()}`));
  };
  child.stderr.on("data", onOutput);
  child.on("error", onError).on("close", onClose);
  lines.on("line", (line) => {
    const message = Message.parse(JSON.parse(line));
    if ("result" in message) resolve(message.result);
    else table = message.table;
  });
  child.stdin.write(`${JSON.stringify(task)}\n`);
  return promise.finally(() => {
    lines.close();
    child.stderr.off("data", onOutput);
    child.off("error", onError).off("close", onClose);
  });
}
