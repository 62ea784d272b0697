/** The space that is left on the disk of the data directory: without any, nothing can be written. */
import { statfsSync } from "node:fs";
import { type Clock, hasPassed, minutes } from "../core/clock.ts";
import type { StorageLog } from "./storage-log.ts";

export interface DiskSpace {
  /** In bytes: what this process may still use. */
  free: number;
  size: number;
}

const MEBIBYTE = 1024 * 1024;

/** With less, a transaction may fail. */
const needed = MEBIBYTE;

/** How often the log says that the disk is nearly full, or full. */
const repeatAfter = { low: minutes(60), full: minutes(1) };

/** Returns undefined if the system does not tell, for example because the directory can't be read. */
export function diskSpace(directory: string): DiskSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Whether too little space is left for a transaction. */
export const isFull = (directory: string): boolean => (diskSpace(directory)?.free ?? needed) < needed;

type State = "enough" | "low" | "full";

interface Options {
  directory: string;
  clock: Clock;
  log: StorageLog;
  /** In bytes: with less, the log and `/health/ready` warn. */
  warnBelow: number;
}

/** Warns before the disk is full. */
export class DiskMonitor {
  readonly #options: Options;
  #logged: { state: State; at: number } = { state: "enough", at: 0 };

  constructor(options: Options) {
    this.#options = options;
  }

  space(): DiskSpace | undefined {
    return diskSpace(this.#options.directory);
  }

  state(space: DiskSpace | undefined = this.space()): State {
    if (space === undefined || space.free >= Math.max(needed, this.#options.warnBelow)) return "enough";
    return space.free < needed ? "full" : "low";
  }

  /** Logs when the state has changed, and again while it lasts. Call it every second: it takes microseconds. */
  check(): void {
    const { directory, clock, log } = this.#options;
    const space = this.space();
    const state = this.state(space);
    const [before, now] = [this.#logged, clock.now()];
    const isNews =
      state !== before.state || (state !== "enough" && hasPassed(repeatAfter[state], { since: before.at, now }));
    if (!isNews) return;
    this.#logged = { state, at: now.getTime() };
    const details = { directory, free_mib: Math.floor((space?.free ?? 0) / MEBIBYTE) };
    if (state === "full")
      log.error(details, "The disk of the data directory is full: nothing can be stored. Free some space.");
    else if (state === "low") log.warn(details, "The disk of the data directory is nearly full. Free some space.");
    else log.warn(details, "The disk of the data directory has enough space again.");
  }
}
