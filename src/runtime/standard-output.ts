/**
 * Writes the log to standard output without waiting for its reader. A synchronous write blocks the whole process, its stop
 * included, for as long as a pipe is full. Lines that do not fit are dropped and counted, and the count is logged.
 */
import { write } from "node:fs";

/** Bytes that wait for the reader. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Milliseconds until a pipe that can't take more is tried again. */
const RETRY = 50;

export interface LineWriter {
  write(line: string): void;
  /** Resolves when all lines are written. A reader that has stopped reading may prevent that. */
  written(): Promise<void>;
}

type WriteSome = (bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, count: number) => void) => void;

/** The part of Deno's types that is used here. */
declare const Deno: { stdout: { write(bytes: Uint8Array): Promise<number> } };

/** On Deno, `write` of `node:fs` blocks the event loop. */
const toStandardOutput: WriteSome =
  "Deno" in globalThis
    ? (bytes, done) =>
        void Deno.stdout.write(bytes).then(
          (count) => done(null, count),
          (error: NodeJS.ErrnoException) => done(error, 0),
        )
    : (bytes, done) => write(1, bytes, done);

export function createLineWriter(writeSome: WriteSome = toStandardOutput, most = MAX_WAITING): LineWriter {
  let lines: string[] = [];
  let [waiting, dropped] = [0, 0];
  let running: Promise<void> | undefined;

  /** Resolves with the number of bytes written; 0 if the pipe is full. */
  const writeOnce = (bytes: Uint8Array) =>
    new Promise<number>((resolve, reject) => {
      writeSome(bytes, (error, count) => {
        if (error === null) resolve(count);
        else if (error.code === "EAGAIN") setTimeout(resolve, RETRY, 0);
        else reject(error);
      });
    });

  const writeAll = async (): Promise<void> => {
    try {
      while (lines.length > 0) {
        const text = lines.join("");
        lines = [];
        let bytes: Uint8Array = Buffer.from(text);
        while (bytes.length > 0) bytes = bytes.subarray(await writeOnce(bytes));
        waiting -= text.length;
        if (dropped > 0) {
          const line = {
            level: "warn",
            time: new Date(),
            dropped,
            msg: "Standard output was full: lines are missing.",
          };
          dropped = 0;
          add(`${JSON.stringify(line)}\n`);
        }
      }
    } catch {
      // The reader is gone, or the disk is full: there is no place to report that.
      lines = [];
      waiting = 0;
    } finally {
      running = undefined;
    }
  };

  const add = (line: string) => {
    waiting += line.length;
    lines.push(line);
  };

  return {
    write(line) {
      if (waiting + line.length > most) dropped += 1;
      else add(line);
      running ??= writeAll();
    },
    written: () => running ?? Promise.resolve(),
  };
}
