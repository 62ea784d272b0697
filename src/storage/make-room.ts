import { performance } from "node:perf_hooks";
import { atMost } from "../core/async.ts";
import { type Clock, hasPassed, minutes, seconds } from "../core/clock.ts";
import { hasFreeDescriptors, TooManyOpenFiles } from "./descriptors.ts";
import type { StorageLog } from "./storage-log.ts";

interface Options {
  clock: Clock;
  log: StorageLog;
  /** Returns the number of tenants that are open. */
  openTenants(): number;
  /** Closes tenants that are not in use. */
  closeSome(): Promise<unknown>;
  /** Ends their descriptors, which may outlive the close. */
  release(): Promise<void>;
}

/** Milliseconds for which opening a tenant is repeated while descriptors are missing. Before each try, others are closed. */
const openTimeout = seconds(4);

/** Milliseconds to wait until others are closed. The caller may hold up a close: it may be writing to the control database. */
const closeTimeout = seconds(1);

/** Opens tenants, and closes others if descriptors are missing. */
export class RoomMaker {
  readonly #options: Options;
  #running: Promise<void> | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws TooManyOpenFiles closing others was not enough */
  async open<T>(open: () => Promise<T>): Promise<T> {
    const end = performance.now() + openTimeout;
    for (;;) {
      try {
        return await open();
      } catch (error) {
        if (hasFreeDescriptors()) throw error;
        if (performance.now() > end) throw new TooManyOpenFiles(error);
        this.#running ??= this.#makeRoom().finally(() => {
          this.#running = undefined;
        });
        await this.#running;
      }
    }
  }

  async #makeRoom(): Promise<void> {
    const { clock, log, openTenants, closeSome, release } = this.#options;
    const now = clock.now();
    if (hasPassed(minutes(1), { since: this.#warnedAt, now })) {
      this.#warnedAt = now.getTime();
      log.warn(
        { open_tenants: openTenants() },
        "Too many open files: schools are closed to make room. Raise the limit of the server's process (ulimit -n).",
      );
    }
    await atMost(closeTimeout, closeSome());
    await release();
  }
}
