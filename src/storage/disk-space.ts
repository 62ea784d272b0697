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

/** Returns the directory whose disk has the least space. */
export const fullest = (directories: readonly [string, ...string[]]): string =>
  directories.reduce((one, other) => (freeOf(other) < freeOf(one) ? other : one));

const freeOf = (directory: string): number => diskSpace(directory)?.free ?? Number.MAX_SAFE_INTEGER;

/** Whether too little space is left for a transaction. */
export const isFull = (directory: string): boolean => (diskSpace(directory)?.free ?? needed) < needed;

/** There is no space for files that a command must write. The message is for the operator. */
export class NoSpace extends Error {
  override readonly name = "NoSpace";
  readonly code = "ENOSPC";

  /**
   * @param bytes the size of the files
   * @param outcome what the command has left, one sentence
   */
  constructor(directory: string, { bytes, outcome, cause }: { bytes: number; outcome: string; cause?: unknown }) {
    const free = diskSpace(directory)?.free;
    const found = free === undefined ? "" : `, and ${Math.floor(free / MEBIBYTE)} MiB are free`;
    super(
      `The disk of ${directory} has too little space: ${Math.ceil((bytes + needed) / MEBIBYTE)} MiB are needed${found}. ${outcome} Free some space there, then try again.`,
      { cause },
    );
  }
}

/** @throws NoSpace a disk has no room for so many bytes and for a transaction */
export function requireSpace(directory: string, request: { bytes: number; outcome: string }): void {
  const space = diskSpace(directory);
  if (space !== undefined && space.free < request.bytes + needed) throw new NoSpace(directory, request);
}

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
