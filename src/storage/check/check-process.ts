import { seconds } from "../../core/clock.ts";
import { type Command, TaskEnded, TaskProcess } from "../../core/task-process.ts";
import { Mutex } from "../mutex.ts";
import { EndsReader, type OnTable } from "./checker.ts";
import { Message, type Result, type Task } from "./messages.ts";

/** The process ends after this time without a task. */
const idleTime = seconds(5);

/** Signals that another process sends, such as the kernel's when memory is short. */
const sent = new Set<string | null>(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

/** One process that reads files which may be damaged: one task at a time, started when it is needed. */
export class CheckProcess {
  readonly #process: TaskProcess;
  readonly #mutex = new Mutex();
  /** The tasks that are not finished. */
  pending = 0;

  /** @param isBackground its tasks give way to everything else on the machine */
  constructor(command: Command, isBackground = false) {
    this.#process = new TaskProcess(command, { idleTime, isBackground });
  }

  /**
   * @param limit milliseconds after which the process is killed
   * @param onTable called with the table that it reads
   * @throws EndsReader the file ended the process
   * @throws Error      the process can't be started, took too long, or was ended by another process
   */
  async perform(task: Task, limit: number, onTable?: OnTable): Promise<Result> {
    this.pending += 1;
    try {
      return await this.#mutex.run(() => this.#perform(task, limit, onTable));
    } finally {
      this.pending -= 1;
    }
  }

  /** Ends the process. The tasks that are not finished throw. */
  close(): void {
    this.#process.close();
  }

  async #perform(task: Task, limit: number, onTable?: OnTable): Promise<Result> {
    let table = "";
    const resultOf = (line: string): Result | undefined => {
      const message = Message.parse(JSON.parse(line));
      if ("result" in message) return message.result;
      table = message.table;
      onTable?.(table);
      return undefined;
    };
    try {
      return await this.#process.perform(task, resultOf, limit);
    } catch (error) {
      if (!(error instanceof TaskEnded) || error.signal === null || sent.has(error.signal)) throw error;
      throw new EndsReader(`reading it${table && ` (${table})`} ends the process with ${error.signal}`);
    }
  }
}
