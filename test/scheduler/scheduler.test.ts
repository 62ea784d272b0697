import { expect, test } from "bun:test";
import { seconds, toInstant } from "../../src/core/clock.ts";
import { currentTrace } from "../../src/core/current-trace.ts";
import { conflict } from "../../src/core/errors.ts";
import type { Span, Spans, Trace } from "../../src/core/trace.ts";
import { failedLast, recentRuns } from "../../src/scheduler/history.ts";
import type { Job, RunResult } from "../../src/scheduler/job.ts";
import { schedulerRuns } from "../../src/scheduler/scheduler.tables.ts";
import { createScheduler } from "../../src/scheduler/scheduler.ts";
import { nextRun, type StartCron, startCronBy } from "../../src/scheduler/timetable.ts";
import type { Leases } from "../../src/storage/leases.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { timersBy } from "./timers.ts";

const hourly = "0 * * * *";
const everySecond = "* * * * * *";
const job = (run: Job["run"], overrides: Partial<Job> = {}): Job => ({
  name: "a-job",
  schedule: hourly,
  description: "Does what the test wants.",
  run,
  ...overrides,
});

const schedulerOf = (...jobs: Job[]) => schedulerWith({}, ...jobs);

interface SchedulerTestOptions {
  startCron?: StartCron;
  clock?: TestClock;
  spans?: Spans;
  leases?: Leases;
}

async function schedulerWith({ startCron, spans, leases, ...options }: SchedulerTestOptions, ...jobs: Job[]) {
  const { clock, storage } = await newInstallation(options);
  const { control } = storage;
  const logged: unknown[] = [];
  const log = {
    info: () => undefined,
    error: (details: object, message: string) => void logged.push([details, message]),
  };
  const scheduler = createScheduler({
    control,
    clock,
    log,
    jobs,
    spans,
    ...(startCron && { startCron }),
    ...(leases && { leases }),
  });
  const history = (name = "a-job") => control.read((reader) => recentRuns(reader, name, 2000));
  return { scheduler, clock, control, history, logged };
}

/** A job that runs until the test ends it. */
function held() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    begun.resolve();
    await end.promise;
    return "nothing_due" as const;
  };
  return { run, begun: begun.promise, end: end.resolve, runs: () => runs };
}

test("a run that did work adds a row with its times", async () => {
  const { scheduler, clock, history } = await schedulerOf(
    job(async (now) => {
      expect(now.toISOString()).toBe("2026-06-14T09:00:00.000Z");
      clock.advance(1500);
      return { summary: "Did three things." };
    }),
  );
  const run = {
    started_at: "2026-06-14T09:00:00.000Z",
    finished_at: "2026-06-14T09:00:01.500Z",
    outcome: "succeeded",
    summary: "Did three things.",
  };
  expect(await scheduler.runNow("a-job")).toEqual(run as never);
  expect(await history()).toEqual([run] as never);
});

test("a job knows whether it was started between two times of its schedule", async () => {
  const starts: unknown[] = [];
  const times = timetable();
  const { scheduler } = await schedulerWith(
    times,
    job(
      async (_, start) => {
        starts.push(start?.offSchedule);
        return "nothing_due" as const;
      },
      { atStart: true },
    ),
  );
  await scheduler.runNow("a-job");
  scheduler.start();
  await new Promise((resolve) => setImmediate(resolve));
  await times.tick();
  await scheduler.stop();
  expect(starts).toEqual([true, true, false]);
});

test("an idle run adds no row", async () => {
  const { scheduler, history } = await schedulerOf(job(async () => "nothing_due"));
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "idle" });
  expect(await history()).toEqual([]);
});

test("a failure is over after a run that finds nothing to do, and stands while its work waits", async () => {
  let result: RunResult = { summary: "Did none of 2.", failed: true };
  const { scheduler, history, control } = await schedulerOf(job(async () => result));
  const isFailing = async () => (await control.read(failedLast)).get("a-job");
  const outcomes = async () => (await history()).map(({ outcome }) => outcome);
  await scheduler.runNow("a-job");
  result = "waiting";
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "idle", summary: expect.stringContaining("later") });
  expect([await isFailing(), await outcomes()]).toEqual([true, ["failed"]]);
  result = "nothing_due";
  for (let runs = 0; runs < 2; runs += 1)
    expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "idle", summary: "There was nothing to do." });
  expect([await isFailing(), await outcomes()]).toEqual([false, ["succeeded", "failed"]]);
});

test("a run that a stop interrupts ends no failure", async () => {
  let isFirst = true;
  const work = held();
  const { scheduler, history } = await schedulerOf(
    job(async () => {
      if (!isFirst) return work.run();
      isFirst = false;
      return { summary: "Did none.", failed: true };
    }),
  );
  await scheduler.runNow("a-job");
  const run = scheduler.runNow("a-job");
  await work.begun;
  const stopped = scheduler.stop();
  work.end();
  await Promise.all([stopped, run]);
  expect(await history()).toMatchObject([{ outcome: "failed" }]);
});

test("a job that throws is recorded as failed, without the error's message, and can run again", async () => {
  let isBroken = true;
  const { scheduler, history, logged } = await schedulerOf(
    job(async () => {
      if (isBroken) throw new TypeError("no such person: ada@example.com");
      return { summary: "Did it." };
    }),
  );
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "failed" });
  isBroken = false;
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "succeeded" });
  expect((await history()).map(({ outcome, summary }) => [outcome, summary])).toEqual([
    ["succeeded", "Did it."],
    ["failed", "TypeError. See the log for the cause."],
  ]);
  expect(logged).toHaveLength(1);
});

test("a failed SQL statement is recorded with SQLite's message and without parameters", async () => {
  const { scheduler, control, history } = await schedulerOf(
    job(async () => {
      const values = { startedAt: "x", finishedAt: "x", outcome: "failed", summary: "s3cr3t" } as never;
      await control.write((tx) => tx.insert(schedulerRuns).values(values));
      return "nothing_due" as const;
    }),
  );
  await scheduler.runNow("a-job");
  const [{ outcome, summary } = { outcome: "", summary: "" }] = await history();
  expect(outcome).toBe("failed");
  expect(summary).toContain("NOT NULL constraint failed: scheduler_runs.job");
  expect(summary).not.toContain("s3cr3t");
});

test("a problem's public message becomes the summary; a job can also report a partial failure", async () => {
  const { scheduler } = await schedulerOf(
    job(() => Promise.reject(conflict("wrong_status", "It is not the time.", { status: "planned" })), {
      name: "refused",
    }),
    job(async () => ({ summary: "Did 2 of 3.", failed: true }), { name: "partly" }),
  );
  expect(await scheduler.runNow("refused")).toMatchObject({
    outcome: "failed",
    summary: "It is not the time.",
  });
  expect(await scheduler.runNow("partly")).toMatchObject({ outcome: "failed", summary: "Did 2 of 3." });
});

test("a run whose row can't be written is logged, and the job can run again", async () => {
  const { scheduler, control, logged } = await schedulerOf(job(async () => ({ summary: "Did it." })));
  const { write } = control;
  Object.assign(control, { write: () => Promise.reject(new Error("the disk is full")) });
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "succeeded" });
  Object.assign(control, { write });
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "succeeded" });
  expect(logged).toHaveLength(1);
});

test("a job never runs twice at the same time", async () => {
  const work = held();
  const { scheduler, clock } = await schedulerOf(job(work.run));
  const first = scheduler.runNow("a-job");
  await work.begun;
  clock.advance(1000);
  expect(scheduler.jobs()).toMatchObject([{ runningSince: "2026-06-14T09:00:00.000Z" }]);
  await expect(scheduler.runNow("a-job")).rejects.toMatchObject({ code: "CONFLICT", reason: "job_running" });
  work.end();
  await first;
  expect(scheduler.jobs()).toMatchObject([{ runningSince: null }]);
  expect(await scheduler.runNow("a-job")).toMatchObject({ outcome: "idle" });
  expect(work.runs()).toBe(2);
});

test("started jobs run on schedule, except while an earlier run continues", async () => {
  const slow = held();
  let ticks = 0;
  const clock = new TestClock();
  const time = timersBy(clock);
  const { scheduler } = await schedulerWith(
    { clock, startCron: startCronBy(clock, time.after) },
    job(slow.run, { name: "slow", schedule: everySecond }),
    job(
      async () => {
        ticks += 1;
        return "nothing_due" as const;
      },
      { name: "ticking", schedule: everySecond },
    ),
  );
  expect(scheduler.jobs().map(({ nextRunAt }) => nextRunAt)).toEqual([null, null]);
  scheduler.start();
  expect(scheduler.jobs().map(({ nextRunAt }) => nextRunAt as string)).toEqual([
    "2026-06-14T09:00:01.000Z",
    "2026-06-14T09:00:01.000Z",
  ]);
  await time.pass(seconds(2));
  expect([slow.runs(), ticks]).toEqual([1, 2]);
  slow.end();
  await scheduler.stop();
  await time.pass(seconds(2));
  expect([slow.runs(), ticks]).toEqual([1, 2]);
});

/** A timetable that the test controls. */
function timetable() {
  const started = new Set<() => Promise<void>>();
  const startCron: StartCron = (_, tick) => {
    const tickNow = () => tick(new TestClock().now());
    started.add(tickNow);
    return () => void started.delete(tickNow);
  };
  return { startCron, started, tick: () => Promise.all([...started].map((tick) => tick())) };
}

test("a scheduled run is skipped while a manual run continues", async () => {
  const work = held();
  const times = timetable();
  const { scheduler } = await schedulerWith(times, job(work.run));
  scheduler.start();
  const run = scheduler.runNow("a-job");
  await work.begun;
  await times.tick();
  expect(work.runs()).toBe(1);
  work.end();
  await run;
  await times.tick();
  expect(work.runs()).toBe(2);
});

test("start runs each job once at each of its times, also when called twice", async () => {
  const times = timetable();
  const { scheduler } = await schedulerWith(
    times,
    job(async () => "nothing_due"),
    job(async () => "nothing_due", { name: "b" }),
  );
  scheduler.start();
  scheduler.start();
  expect(times.started.size).toBe(2);
});

test("stop ends the schedules, and a late tick starts nothing", async () => {
  const times = timetable();
  let runs = 0;
  const { scheduler } = await schedulerWith(
    times,
    job(async () => {
      runs += 1;
      return "nothing_due" as const;
    }),
  );
  scheduler.start();
  const late = [...times.started];
  await scheduler.stop();
  expect(times.started.size).toBe(0);
  for (const tick of late) await tick();
  expect(runs).toBe(0);
});

test("stop waits for running jobs until the deadline, and no job starts", async () => {
  const work = held();
  const { scheduler } = await schedulerOf(job(work.run));
  scheduler.start();
  const run = scheduler.runNow("a-job");
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  await expect(scheduler.runNow("a-job")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(isStopped).toBe(false);
  await scheduler.stop(1);
  expect(isStopped).toBe(false);
  work.end();
  await stopped;
  await run;
  expect(scheduler.jobs()).toMatchObject([{ nextRunAt: null }]);
});

test("the history keeps the last 1000 runs of each job", async () => {
  let done = 0;
  const { scheduler, control, history, clock } = await schedulerOf(
    job(async () => ({ summary: `Run ${++done}.` })),
    job(async () => ({ summary: "Another's." }), { name: "another" }),
  );
  await scheduler.runNow("another");
  await scheduler.runNow("a-job");
  const [first] = await history();
  if (!first) throw new Error("There is no row.");
  const filler = Array.from({ length: 998 }, (_, at) => ({ ...first, job: "a-job", summary: `Filler ${at}.` }));
  await control.write((tx) => tx.insert(schedulerRuns).values(filler));
  await scheduler.runNow("a-job");
  expect(await history()).toHaveLength(1000);
  clock.advance(1000);
  await scheduler.runNow("a-job");
  const runs = await history();
  expect([runs.length, runs.at(0)?.summary, runs.at(-1)?.summary]).toEqual([1000, "Run 3.", "Filler 0."]);
  expect(await history("another")).toHaveLength(1);
});

test("the history keeps runs for exactly 30 days, for every job", async () => {
  const { scheduler, clock, history } = await schedulerOf(
    job(async () => ({ summary: "Did it." })),
    job(async () => ({ summary: "Old." }), { name: "seldom" }),
  );
  await scheduler.runNow("seldom");
  clock.advance(30 * 86_400_000);
  await scheduler.runNow("a-job");
  expect(await history("seldom")).toHaveLength(1);
  clock.advance(1);
  await scheduler.runNow("a-job");
  expect(await history("seldom")).toEqual([]);
  expect(await history()).toHaveLength(2);
});

test("an unknown job is NOT_FOUND, and the message lists the jobs", async () => {
  const { scheduler } = await schedulerOf(job(async () => "nothing_due"));
  await expect(scheduler.runNow("another")).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is no job another. Jobs: a-job.",
  });
});

test.each([
  ["a name in capitals", { name: "Job" }],
  ["a name that begins with a digit", { name: "1job" }],
  ["a name of 65 characters", { name: `a${"b".repeat(64)}` }],
  ["a schedule that is none", { schedule: "every hour" }],
  ["a schedule that never comes", { schedule: "0 0 31 2 *" }],
])("%s is rejected at once", async (_, overrides) => {
  await expect(schedulerOf(job(async () => "nothing_due", overrides))).rejects.toThrow();
});

test("two jobs with the same name are rejected at once", async () => {
  await expect(
    schedulerOf(
      job(async () => "nothing_due"),
      job(async () => "nothing_due"),
    ),
  ).rejects.toThrow("Two jobs have the name");
});

test("schedules are read in UTC, and the next time is always later", () => {
  expect(nextRun("17 3 * * *", new Date("2026-03-29T03:16:59.999Z")).toISOString()).toBe("2026-03-29T03:17:00.000Z");
  expect(nextRun("17 3 * * *", new Date("2026-03-29T03:17:00.000Z")).toISOString()).toBe("2026-03-30T03:17:00.000Z");
});

test("the times are in UTC, in any time zone of the machine", () => {
  const here = process.env.TZ;
  // The offset from UTC is 45 minutes: no minute is equal.
  process.env.TZ = "Asia/Kathmandu";
  try {
    const next = nextRun("17 3 * * *", new Date("2026-03-29T03:16:59.999Z"));
    expect(next.toISOString()).toBe("2026-03-29T03:17:00.000Z");
  } finally {
    if (here === undefined) delete process.env.TZ;
    else process.env.TZ = here;
  }
});

test("a job with atStart runs once when the scheduler is started, whatever its schedule, and shows its progress", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { scheduler, history } = await schedulerOf(
    job(
      async (_, { onProgress } = {}) => {
        onProgress?.({ done: 1, total: 2 });
        begun.resolve();
        await end.promise;
        return { summary: "Done." };
      },
      { atStart: true },
    ),
  );
  expect(scheduler.jobs()).toMatchObject([{ progress: null }]);
  scheduler.start();
  scheduler.start();
  await begun.promise;
  expect(scheduler.jobs()).toMatchObject([{ progress: { done: 1, total: 2 } }]);
  end.resolve();
  await scheduler.stop();
  expect(await history()).toMatchObject([{ summary: "Done." }]);
  expect(scheduler.jobs()).toMatchObject([{ progress: null }]);
});

test("a run that did work is a span of a trace of its own, and one that failed says so without its error", async () => {
  const recorded: Span[] = [];
  const asked: string[] = [];
  const spans: Spans = {
    samples: (lot) => asked.push(lot) > 0,
    record: (span) => void recorded.push(span),
    close: async () => undefined,
  };
  const seen: (Trace | undefined)[] = [];
  const { scheduler, logged } = await schedulerWith(
    { spans },
    job(async () => {
      seen.push(currentTrace());
      return { summary: "Did it." };
    }),
    job(() => Promise.reject(new Error("secret")), { name: "bad" }),
    job(async () => "nothing_due", { name: "idle" }),
  );
  for (const name of ["a-job", "bad", "idle"]) await scheduler.runNow(name);

  expect(recorded).toMatchObject([
    { name: "job a-job", kind: "internal", attributes: { "windsock.job": "a-job" }, error: undefined },
    { name: "job bad", error: "failed" },
  ]);
  expect(JSON.stringify(recorded)).not.toContain("secret");
  expect(seen).toMatchObject([recorded[0]?.trace ?? {}]);
  expect(recorded.map(({ trace }) => trace.traceId)).toEqual(asked.slice(0, 2));
  expect(logged).toMatchObject([
    [{ job: "bad", trace_id: asked[1] }, "A job failed. It is retried at its next scheduled time."],
  ]);
});

test("a run whose trace is not sampled is no span", async () => {
  const recorded: Span[] = [];
  const spans = {
    samples: () => false,
    record: (span: Span) => void recorded.push(span),
    close: async () => undefined,
  };
  const { scheduler } = await schedulerWith(
    { spans },
    job(async () => ({ summary: "Did it." })),
  );
  await scheduler.runNow("a-job");
  expect(recorded).toEqual([]);
});

/** Leases of which another process has some. */
const leasesWithout = (...taken: string[]): Leases & { asked: (string | undefined)[][]; released: string[] } => {
  const [asked, released]: [(string | undefined)[][], string[]] = [[], []];
  return {
    asked,
    released,
    async take(name, tick) {
      asked.push([name, tick]);
      if (taken.includes(name)) return undefined;
      return { isHeld: async () => true, release: async () => void released.push(name) };
    },
  };
};

test("a job that another process runs is not run here, and an operator is told so", async () => {
  const times = timetable();
  const leases = leasesWithout("job elsewhere");
  let runs = 0;
  const count = async () => {
    runs += 1;
    return "nothing_due" as const;
  };
  const { scheduler } = await schedulerWith({ startCron: times.startCron, leases }, job(count, { name: "elsewhere" }));
  scheduler.start();
  await times.tick();
  expect(leases.asked).toEqual([["job elsewhere", toInstant(new TestClock().now())]]);
  await expect(scheduler.runNow("elsewhere")).rejects.toMatchObject({ code: "CONFLICT", reason: "job_running" });
  expect([runs, scheduler.jobs()[0]?.runningSince]).toEqual([0, null]);
});

test("a lease ends with the run, also with one that fails; a job of each process needs none", async () => {
  const leases = leasesWithout();
  const fail = async () => {
    throw new Error("It failed.");
  };
  const { scheduler } = await schedulerWith(
    { leases },
    { ...job(fail), name: "failing" },
    { ...job(async () => "nothing_due"), name: "local", onEachNode: true },
  );
  await scheduler.runNow("failing");
  await scheduler.runNow("local");
  expect([leases.asked, leases.released]).toEqual([[["job failing", undefined]], ["job failing"]]);
});

test("while leases can't be taken, scheduled runs are left out, and the next ones are made", async () => {
  const times = timetable();
  let [isDown, runs] = [true, 0];
  const leases: Leases = {
    async take() {
      if (isDown) throw new Error("The server is down.");
      return { isHeld: async () => true, release: async () => undefined };
    },
  };
  const count = async () => {
    runs += 1;
    return "nothing_due" as const;
  };
  const { scheduler, logged } = await schedulerWith({ startCron: times.startCron, leases }, job(count));
  scheduler.start();
  await times.tick();
  expect([runs, logged]).toMatchObject([0, [[{ job: "a-job" }, "A job could not be started."]]]);
  isDown = false;
  await times.tick();
  expect(runs).toBe(1);
});
