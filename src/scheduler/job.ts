/** Scheduled work, as modules declare it and as the scheduler runs it. */
import type { Clock, Instant } from "../core/clock.ts";
import type { Context } from "../storage/context.ts";
import type { Control, Reader } from "../storage/store.ts";

/** What a run did, in one sentence for the operator. It is stored and shown, so it has counts and no names. */
export interface Report {
  summary: string;
  /** Part of the work failed; the next run retries it. */
  failed?: boolean;
}

/** A job as the scheduler runs it. */
export interface Job {
  /** `[a-z][a-z0-9-]{0,63}` */
  name: string;
  /** A cron pattern, in UTC. */
  schedule: string;
  description: string;
  /**
   * Does the work that is due at `now`. Running it again right away changes nothing.
   *
   * @returns what it did; `undefined` when there was nothing to do
   */
  run(now: Date): Promise<Report | undefined>;
}

/** What a job may be called. */
export const jobNamePattern = /^[a-z][a-z0-9-]{0,63}$/;

/** A job as a module declares it, before the composition gives it the services that it runs with. */
export interface JobDefinition<Services, Settings> extends Omit<Job, "run"> {
  /**
   * When this job next has work in a tenant; null when it has none. Storage asks at every checkpoint and stores the
   * soonest answer of all jobs, so that a job opens only the tenants that are due. A job without work in tenants
   * answers null: `noTenantWork`.
   */
  due(reader: Reader<"tenant">, at: { now: Date; settings: Settings }): Promise<Instant | null>;
  run(services: Services, now: Date): Promise<Report | undefined>;
}

export const noTenantWork = async (): Promise<null> => null;

/** The context of a verb that a scheduled job calls. */
export const jobContext = (name: string, { control, clock }: { control: Control; clock: Clock }): Context => ({
  actor: { kind: "job", name },
  requestId: "",
  clock,
  control,
});

/** `3 sessions`, `1 session` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
