/** Runs jobs at their times, one run of each at a time, and writes down what they did. */
import { atMost } from "../core/at-most.ts";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import { conflict, notFound, Problem } from "../core/errors.ts";
import type { Control } from "../storage/store.ts";
import { type Run, recordRun } from "./history.ts";
import { type Job, jobNamePattern, type Report } from "./job.ts";
import { safeMessage } from "./safe-message.ts";
import { type Arm, arm as armed, nextRun } from "./timetable.ts";

/** A job as the operator sees it. */
export interface ScheduledJob extends Pick<Job, "name" | "schedule" | "description"> {
  /** Null while the scheduler is not started. */
  nextRunAt: Instant | null;
  /** Since when it is running; null when it is not. */
  runningSince: Instant | null;
}

/** As in the history; or `idle`, when there was nothing to do and nothing was written down. */
export type Outcome = Run["outcome"] | "idle";

export interface Scheduler {
  /** Has every job run at its times from now on. */
  start(): void;
  /** Starts no job any more, and waits for those that run, for `deadlineMs` at most. */
  stop(deadlineMs?: number): Promise<void>;
  /**
   * Runs a job now, whether or not the scheduler is started.
   *
   * @throws NOT_FOUND no such job
   * @throws CONFLICT  it is running already
   */
  runNow(name: string): Promise<Omit<Run, "outcome"> & { outcome: Outcome }>;
  /** In the order of their names. */
  jobs(): ScheduledJob[];
}

export interface SchedulerOptions {
  control: Control;
  clock: Clock;
  log: Record<"info" | "error", (details: Record<string, unknown>, message: string) => void>;
  jobs: readonly Job[];
  /** What calls at the times of a schedule; `timetable.ts` by default. */
  arm?: Arm;
}

type Finished = Awaited<ReturnType<Scheduler["runNow"]>>;

/** @throws when a job has no proper name or schedule, or shares its name */
export function createScheduler({ control, clock, log, jobs, arm = armed }: SchedulerOptions): Scheduler {
  const byName = registry(jobs, clock.now());
  const running = new Map<string, { since: Instant; end: Promise<Finished> }>();
  let disarm: (() => void)[] | undefined;
  let stopping = false;

  const now = () => toInstant(clock.now());

  async function attempt(job: Job, at: Instant): Promise<Report | undefined> {
    try {
      return await job.run(new Date(at));
    } catch (err) {
      log.error({ job: job.name, err }, "A job failed; it is tried again at its next time.");
      return { summary: safeMessage(err), failed: true };
    }
  }

  async function perform(job: Job, startedAt: Instant): Promise<Finished> {
    const report = await attempt(job, startedAt);
    const finishedAt = now();
    if (report === undefined)
      return { started_at: startedAt, finished_at: finishedAt, outcome: "idle", summary: "There was nothing to do." };
    const { summary, failed = false } = report;
    const run: Run = {
      started_at: startedAt,
      finished_at: finishedAt,
      outcome: failed ? "failed" : "succeeded",
      summary,
    };
    log.info({ job: job.name, outcome: run.outcome, summary }, "job");
    // A history that can't be written must not keep the job from its next time.
    await recordRun(control, job.name, run).catch((err: unknown) =>
      log.error({ job: job.name, err }, "A job's run could not be written down."),
    );
    return run;
  }

  function begin(job: Job): Promise<Finished> {
    const since = now();
    const end = perform(job, since).finally(() => running.delete(job.name));
    running.set(job.name, { since, end });
    return end;
  }

  return {
    start() {
      disarm ??= jobs.map((job) =>
        arm(job.schedule, async () => {
          if (!(stopping || running.has(job.name))) await begin(job);
        }),
      );
    },
    async stop(deadlineMs = seconds(10)) {
      stopping = true;
      for (const end of disarm?.splice(0) ?? []) end();
      disarm = undefined;
      await atMost(deadlineMs, Promise.all([...running.values()].map(({ end }) => end)));
    },
    async runNow(name) {
      const job = byName.get(name);
      if (job === undefined) throw notFound(`There is no job ${name}. There are: ${[...byName.keys()].join(", ")}.`);
      if (stopping) throw new Problem("UNAVAILABLE", "The server is stopping.");
      if (running.has(name)) throw conflict("job_running", `The job ${name} is already running.`);
      return begin(job);
    },
    jobs: () =>
      [...byName.values()].map(({ name, schedule, description }) => ({
        name,
        schedule,
        description,
        nextRunAt: disarm ? toInstant(nextRun(schedule, clock.now())) : null,
        runningSince: running.get(name)?.since ?? null,
      })),
  };
}

function registry(jobs: readonly Job[], now: Date): ReadonlyMap<string, Job> {
  const byName = new Map<string, Job>();
  for (const job of jobs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!jobNamePattern.test(job.name)) throw new Error(`${job.name} is no name for a job.`);
    if (byName.has(job.name)) throw new Error(`There are two jobs ${job.name}.`);
    nextRun(job.schedule, now);
    byName.set(job.name, job);
  }
  return byName;
}
