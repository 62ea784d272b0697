import type { Instant } from "../core/clock.ts";

/** Work that one process does at a time, as long as it lives: a job, the building of a file. */
export interface Lease {
  /**
   * Returns whether no other process has taken it. One that was stopped for some seconds may have lost it. Then it may not undo
   * what the other one does.
   */
  isHeld(): Promise<boolean>;
  /** An error is logged: the lease then ends with the process. */
  release(): Promise<void>;
}

export interface Leases {
  /**
   * @param tick the scheduled time of the work, if it has one: each has one run
   * @returns undefined if another process has it, or had it for this time or a later one
   */
  take(name: string, tick?: Instant): Promise<Lease | undefined>;
}

const own: Lease = { isHeld: async () => true, release: async () => undefined };

/** Of files, which one process has. */
export const onlyProcess: Leases = { take: async () => own };
