/** Runs jobs on their schedules, one run of each job at a time, and records the runs. */
import { atMost } from "../core/async.ts";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import { onBehalfOf } from "../core/current-trace.ts";
import { conflict, notFound, Problem } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { OnProgress, Progress } from "../core/progress.ts";
import { type Span, type Spans, type Trace, traceIds } from "../core/trace.ts";
import { type Leases, onlyProcess } from "../storage/leases.ts";
import type { Control } from "../storage/store.ts";
import { failuresOf, type Run, recordRun } from "./history.ts";
import { type Idle, type Job, jobNamePattern, type RunResult, type Start } from "./job.ts";
import { safeMessage } from "./safe-message.ts";
import { nextRun, type StartCron, startCronBy } from "./timetable.ts";

/** A job as the operator sees it. */
export interface ScheduledJob extends Pick<Job, "name" | "schedule" | "description"> {
  /** Null until the scheduler is started. */
  nextRunAt: Instant | null;
  /** The start of the current run; null when it is not running. */
  runningSince: Instant | null;
  /** How far the current run is; null when it is not running, or does not tell. */
  progress: Pick<Progress, "done" | "total"> | null;
}

/** As in the history; `idle` when no work was done, which is recorded only if it ends a failure. */
export type Outcome = Run["outcome"] | "idle";

export interface Scheduler {
  /** Starts the schedules of all jobs, and runs those that run at the start. */
  start(): void;
  /** Stops all schedules, and waits at most `deadlineMs` for running jobs. */
  stop(deadlineMs?: number): Promise<void>;
  /**
   * Runs a job now, whether or not the scheduler is started. It does what is due now, also in idle schools, which a scheduled
   * run would visit at the next time of its schedule only.
   *
   * @param request see `Start`
   * @param onProgress follows the run
   * @throws NOT_FOUND no such job
   * @throws CONFLICT  the job is already running
   */
  runNow(
    name: string,
    request?: unknown,
    onProgress?: OnProgress,
  ): Promise<Omit<Run, "outcome"> & { outcome: Outcome }>;
  /** Sorted by name. */
  jobs(): ScheduledJob[];
}

export interface SchedulerOptions {
  control: Control;
  /** By default no other process runs these jobs. */
  leases?: Leases;
  clock: Clock;
  log: Record<"info" | "error", (details: Record<string, unknown>, message: string) => void>;
  jobs: readonly Job[];
  /** Given if the operator has spans exported. */
  spans?: Spans | undefined;
  /** Calls a function at each time of a schedule. */
  startCron?: StartCron;
}

type State = Pick<ScheduledJob, "progress">;
type Finished = Awaited<ReturnType<Scheduler["runNow"]>>;

const alreadyRunning = (name: string) => conflict("job_running", `The job ${name} is already running.`);

/** @throws a job has an invalid name or schedule, or two jobs have the same name */
export function createScheduler({
  control,
  leases = onlyProcess,
  clock,
  log,
  jobs,
  spans,
  startCron = startCronBy(clock),
}: SchedulerOptions): Scheduler {
  const byName = registry(jobs, clock.now());
  const running = new Map<string, { since: Instant; end: Promise<Finished | undefined>; state: State }>();
  let crons: (() => void)[] | undefined;
  let stopping = false;

  const now = () => toInstant(clock.now());

  async function attempt(job: Job, at: Instant, start: Start, trace: Trace): Promise<RunResult> {
    try {
      return await onBehalfOf(trace, () => job.run(new Date(at), start));
    } catch (err) {
      log.error({ job: job.name, ...idsOf(trace), err }, "A job failed. It is retried at its next scheduled time.");
      return { summary: safeMessage(err), failed: true };
    }
  }

  /** @param tick its scheduled time. @returns undefined if another process runs it, or has run it at this time */
  async function performHere(
    job: Job,
    startedAt: Instant,
    start: Start,
    tick?: Instant,
  ): Promise<Finished | undefined> {
    const lease = await (job.onEachNode ? onlyProcess : leases).take(`job ${job.name}`, tick);
    if (lease === undefined) return undefined;
    try {
      return await perform(job, startedAt, start);
    } finally {
      await lease.release();
    }
  }

  async function perform(job: Job, startedAt: Instant, start: Start): Promise<Finished> {
    const ids = traceIds(newId(clock));
    const trace = { ...ids, isSampled: spans?.samples(ids.traceId) ?? false };
    const began = performance.now();
    const result = await attempt(job, startedAt, start, trace);
    const times = { started_at: startedAt, finished_at: now() };
    if (typeof result === "string") {
      const run: Run = { ...times, outcome: "succeeded", summary: idleSummaries[result] };
      if (result === "nothing_due") await endFailure(job, run);
      return { ...run, outcome: "idle" };
    }
    const { summary, failed = false } = result;
    const run: Run = { ...times, outcome: failed ? "failed" : "succeeded", summary };
    log.info({ job: job.name, ...idsOf(trace), outcome: run.outcome, summary }, "job");
    if (trace.isSampled) spans?.record(spanOf(job, trace, { milliseconds: performance.now() - began, failed }));
    await record(job, () => recordRun(control, job.name, run));
    return run;
  }

  /** A failure here must not prevent the next run. */
  const record = (job: Job, write: () => Promise<unknown>) =>
    write().catch((err: unknown) => log.error({ job: job.name, err }, "A job's run could not be recorded."));

  /** Records a run without work if the one before has failed: what it could not do is done or gone. */
  const endFailure = (job: Job, run: Run) =>
    record(job, async () => {
      // A job that a stop has interrupted may have work left.
      if (stopping || (await control.read((reader) => failuresOf(reader, job.name))) === 0) return;
      await recordRun(control, job.name, run);
    });

  function begin(
    job: Job,
    { offSchedule = false, atStart = false, request, onProgress: follow }: Start = {},
    tick?: Instant,
  ): Promise<Finished | undefined> {
    const since = now();
    const state: State = { progress: null };
    const start: Start = {
      offSchedule,
      atStart,
      request,
      onProgress(progress) {
        const { done, total } = progress;
        state.progress = { done, total };
        follow?.(progress);
      },
    };
    const end = performHere(job, since, start, tick).finally(() => running.delete(job.name));
    running.set(job.name, { since, end, state });
    return end;
  }

  /** Where the lease can't be taken, the run is left out: the next one does its work. */
  const beginUnlessElsewhere = async (job: Job, start?: Start, tick?: Instant): Promise<void> => {
    await begin(job, start, tick).catch((err: unknown) =>
      log.error({ job: job.name, err }, "A job could not be started."),
    );
  };

  return {
    start() {
      if (crons !== undefined) return;
      for (const job of jobs)
        if (job.atStart && !running.has(job.name)) void beginUnlessElsewhere(job, { offSchedule: true, atStart: true });
      crons = jobs.map((job) =>
        startCron(job.schedule, async (at) => {
          if (!(stopping || running.has(job.name))) await beginUnlessElsewhere(job, {}, toInstant(at));
        }),
      );
    },
    async stop(deadlineMs = seconds(10)) {
      stopping = true;
      for (const stopCron of crons?.splice(0) ?? []) stopCron();
      crons = undefined;
      await atMost(deadlineMs, Promise.allSettled([...running.values()].map(({ end }) => end)));
    },
    async runNow(name, request, onProgress) {
      const job = byName.get(name);
      if (job === undefined) throw notFound(`There is no job ${name}. Jobs: ${[...byName.keys()].join(", ")}.`);
      if (stopping) throw new Problem("UNAVAILABLE", "The server is stopping.");
      if (running.has(name)) throw alreadyRunning(name);
      const finished = await begin(job, { offSchedule: true, request, ...(onProgress && { onProgress }) });
      if (finished === undefined) throw alreadyRunning(name);
      return finished;
    },
    jobs: () =>
      [...byName.values()].map(({ name, schedule, description }) => ({
        name,
        schedule,
        description,
        nextRunAt: crons ? toInstant(nextRun(schedule, clock.now())) : null,
        runningSince: running.get(name)?.since ?? null,
        progress: running.get(name)?.state.progress ?? null,
      })),
  };
}

const idleSummaries: Record<Idle, string> = {
  nothing_due: "There was nothing to do.",
  waiting: "There was nothing to do yet. What has failed before is left for a later run.",
};

const idsOf = ({ traceId, spanId }: Trace) => ({ trace_id: traceId, span_id: spanId });

/** Of a run that had work to do, as in the history. Its summary is not in it: a failed one may have anything. */
const spanOf = (
  { name }: Job,
  trace: Trace,
  { milliseconds, failed }: { milliseconds: number; failed: boolean },
): Span => ({
  name: `job ${name}`,
  kind: "internal",
  trace,
  parent: undefined,
  milliseconds,
  attributes: { "windsock.job": name },
  error: failed ? "failed" : undefined,
});

function registry(jobs: readonly Job[], now: Date): ReadonlyMap<string, Job> {
  const byName = new Map<string, Job>();
  for (const job of jobs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!jobNamePattern.test(job.name)) throw new Error(`The job name ${job.name} is not valid.`);
    if (byName.has(job.name)) throw new Error(`Two jobs have the name ${job.name}.`);
    nextRun(job.schedule, now);
    byName.set(job.name, job);
  }
  return byName;
}
