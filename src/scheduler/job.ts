/** Scheduled jobs: the form that modules declare and the form that the scheduler runs. */
import type { Clock, Instant } from "../core/clock.ts";
import type { OnProgress } from "../core/progress.ts";
import type { Context } from "../storage/context.ts";
import type { Control, Reader } from "../storage/store.ts";

/** The result of a run. */
export interface Report {
  /** One sentence for the operator. It is stored and shown, so it has counts and no names. */
  summary: string;
  /** Part of the work failed; the next run retries it. */
  failed?: boolean;
}

/**
 * The result of a run that did no work. After `nothing_due`, an earlier failure is over: its work is done or gone. After
 * `waiting` it stands: its work is still there, and is not tried again yet.
 */
export type Idle = "nothing_due" | "waiting";

export type RunResult = Report | Idle;

/** How a run was started, and who follows it. */
export interface Start {
  /** It was started between two times of its schedule: by an operator, or with the scheduler (`atStart`). */
  offSchedule?: boolean;
  /** It was started with the scheduler. */
  atStart?: boolean;
  /** What the operator asked for, of a job that can be asked for more than its usual work. The job validates it. */
  request?: unknown;
  /** Shows the operator how far a long run is. */
  onProgress?: OnProgress;
}

/** A job as the scheduler runs it. */
export interface Job {
  /** `[a-z][a-z0-9-]{0,63}` */
  name: string;
  /** A cron pattern, in UTC. */
  schedule: string;
  description: string;
  /** Whether it also runs when the scheduler is started. */
  atStart?: boolean;
  /**
   * Whether each process runs it, where several have the databases: it works on what is on its own machine. The others run on one at
   * a time, and once at each scheduled time.
   */
  onEachNode?: boolean;
  /**
   * Does the work that is due at `now`. Idempotent: a second run changes nothing.
   */
  run(now: Date, start?: Start): Promise<RunResult>;
}

export const jobNamePattern = /^[a-z][a-z0-9-]{0,63}$/;

/** A job as a module declares it, without the services that it runs with. */
export interface JobDefinition<Services, Settings> extends Omit<Job, "run"> {
  /** Returns the cron pattern that the operator has configured instead. */
  readonly configuredSchedule?: (services: Services) => string;
  /**
   * Returns when this job next has work in a tenant; null when it has none. Storage calls this at every checkpoint and
   * stores the earliest time of all jobs, so jobs open only the tenants that are due. A job without work in tenants
   * uses `noTenantWork`.
   */
  due(reader: Reader<"tenant">, at: { now: Date; settings: Settings }): Promise<Instant | null>;
  /** Whether it also works in the files of suspended organizations. By default its work waits until they are resumed. */
  readonly whileSuspended?: boolean;
  /** Of a job that works in tenants: see `tenantJob`. */
  dueFrom?(reader: Reader<"tenant">, settings: Settings): Promise<Instant | null>;
  readonly run: (services: Services, now: Date, start?: Start) => Promise<RunResult>;
}

export const noTenantWork = async (): Promise<null> => null;

/** Returns the context for a verb that a scheduled job calls. */
export const jobContext = (name: string, { control, clock }: { control: Control; clock: Clock }): Context => ({
  actor: { kind: "job", name },
  requestId: "",
  clock,
  control,
});

/** `3 sessions`, `1 session` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
