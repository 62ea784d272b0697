/** What the scheduler knows of a piece of scheduled work. */

/** What a run did, in one sentence for the operator. It is kept and shown, so it counts things and names nobody. */
export interface Report {
  summary: string;
  /** Part of it could not be done; the next run tries again. */
  failed?: boolean;
}

export interface Job {
  /** `[a-z][a-z0-9-]{0,63}` */
  name: string;
  /** A cron pattern, in UTC. */
  schedule: string;
  description: string;
  /**
   * Does what is due at `now`, and nothing twice: it may have been run a moment ago.
   *
   * @returns what it did; `undefined` when there was nothing to do
   */
  run(now: Date): Promise<Report | undefined>;
}

/** What a job may be called. */
export const jobNamePattern = /^[a-z][a-z0-9-]{0,63}$/;
