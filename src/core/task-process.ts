/** A process that does one task at a time, a line each, and stays for a while: to start it may take longer than a task. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** How to start a process: a file and its arguments. */
export interface Command {
  file: string;
  args: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The last characters of the process's error output that a message shows. */
const shownOutput = 500;

/** Returns the environment without the secret, which no task needs. */
const environmentOfChild = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_")));

interface Options {
  /** Milliseconds without a task after which the process ends. */
  idleTime: number;
  /** Its tasks give way to everything else on the machine. */
  isBackground?: boolean;
}

/** The process ended before its result. */
export class TaskEnded extends Error {
  readonly signal: string | null;

  constructor(code: number | null, signal: string | null, output: string) {
    super(`the process for it ended with ${signal ?? code}: ${output.trim()}`);
    this.signal = signal;
  }
}

/** Started for its first task, and again for the next one after it was ended. Not for two tasks at a time. */
export class TaskProcess {
  readonly #command: Command;
  readonly #options: Options;
  #child: Child | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(command: Command, options: Options) {
    this.#command = command;
    this.#options = options;
  }

  /**
   * Writes the task as a line of JSON, and reads lines until one is the result.
   *
   * @param resultOf returns the result that a line is; undefined for a line about the progress
   * @param limit milliseconds after which the process is killed
   * @throws TaskEnded it ended by itself, or was ended by another process
   * @throws Error     it can't be started or took too long, or the errors of `resultOf`
   */
  async perform<Result>(task: unknown, resultOf: (line: string) => Result | undefined, limit: number): Promise<Result> {
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
      return await answer(child, task, resultOf);
    } catch (error) {
      // Its next line may belong to this task.
      child.kill("SIGKILL");
      if (this.#child === child) this.#child = undefined;
      if (isLate) throw new Error(`it was not finished within ${Math.round(limit / 1000)} s`);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#idle = setTimeout(() => this.#endIdle(), this.#options.idleTime).unref();
    }
  }

  /** Ends the process. A task that is not finished throws. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
  }

  #endIdle(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #start(): Child {
    const { file, args } = this.#command;
    const child = spawn(file, args, { env: environmentOfChild(), stdio: ["pipe", "pipe", "pipe"] });
    if (this.#options.isBackground && child.pid !== undefined) giveWay(child.pid);
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

function answer<Result>(child: Child, task: unknown, resultOf: (line: string) => Result | undefined): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let output = "";
  const lines = createInterface({ input: child.stdout });
  const onOutput = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-shownOutput);
  };
  const onError = ({ message }: Error) => reject(new Error(`the process for it can't be started: ${message}`));
  const onClose = (code: number | null, signal: string | null) => reject(new TaskEnded(code, signal, output));
  child.stderr.on("data", onOutput);
  child.on("error", onError).on("close", onClose);
  lines.on("line", (line) => {
    try {
      const result = resultOf(line);
      if (result !== undefined) resolve(result);
    } catch (error) {
      reject(error);
    }
  });
  child.stdin.write(`${JSON.stringify(task)}\n`);
  return promise.finally(() => {
    lines.close();
    child.stderr.off("data", onOutput);
    child.off("error", onError).off("close", onClose);
  });
}
