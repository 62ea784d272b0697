/** How far a long command is, on standard error: standard output has only its result. */
import process from "node:process";
import type { OnProgress, Progress } from "../core/progress.ts";
import { sizeOf } from "./school-table.ts";

interface Screen {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

interface Options {
  screen?: Screen;
  /** Milliseconds of any clock that runs on. */
  now?: () => number;
}

/** Milliseconds between two texts: one line of a terminal is drawn anew; elsewhere, such as in a log, each is a line. */
const pause = { terminal: 200, elsewhere: 30_000 };

/**
 * Runs some work, and says how far it is: `Restoring: 3 of 12 databases, 0.9 GiB of 2.1 GiB, 43 %, 1:05, checking 0199… (flights)`.
 * Work that is over soon says nothing, except on a terminal, where the line goes at the end.
 *
 * @param what the work and its parts
 */
export async function withProgress<T>(
  { what, parts }: { what: string; parts: string },
  work: (onProgress: OnProgress) => Promise<T>,
  { screen = process.stderr, now = () => performance.now() }: Options = {},
): Promise<T> {
  const isTerminal = screen.isTTY === true;
  const began = now();
  let last = isTerminal ? began - pause.terminal : began;
  let width = 0;
  const draw = (text: string) => {
    // No escape sequences: spaces erase what was longer before.
    screen.write(`\r${text.padEnd(width)}`);
    width = text.length;
  };
  try {
    return await work((progress) => {
      const at = now();
      if (at - last < (isTerminal ? pause.terminal : pause.elsewhere)) return;
      last = at;
      const text = `${what}: ${textOf(progress, parts, at - began)}`;
      if (isTerminal) draw(text.slice(0, (screen.columns ?? 80) - 1));
      else screen.write(`${text}\n`);
    });
  } finally {
    if (width > 0) {
      draw("");
      screen.write("\r");
    }
  }
}

function textOf({ done, total, bytes, step }: Progress, parts: string, took: number): string {
  const sizes = bytes === undefined ? [] : [`${sizeOf(bytes.done)} of ${sizeOf(bytes.total)}`, share(bytes)];
  return [`${done} of ${total} ${parts}`, ...sizes, timeOf(took), ...(step === undefined ? [] : [step])].join(", ");
}

const share = ({ done, total }: { done: number; total: number }) =>
  `${total === 0 ? 100 : Math.floor((100 * done) / total)} %`;

/** `1:05`, `2:00:05` */
function timeOf(milliseconds: number): string {
  const all = Math.floor(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const rest = `${hours > 0 ? String(minutes).padStart(2, "0") : minutes}:${String(seconds).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
