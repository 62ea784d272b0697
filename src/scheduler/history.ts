import { and, desc, eq, lt, lte, or } from "drizzle-orm";
import { days, type Instant, shift } from "../core/clock.ts";
import type { Control, Reader } from "../storage/store.ts";
import { schedulerRuns } from "./scheduler.tables.ts";

/** A finished run. */
export interface Run {
  started_at: Instant;
  finished_at: Instant;
  outcome: "succeeded" | "failed";
  summary: string;
}

/** The maximum age and the maximum number of the runs that the history keeps for each job. */
export const historyAge = days(30);
export const historyLength = 1000;

/** Records a run, and deletes the runs beyond `historyAge` and `historyLength`. */
export async function recordRun(control: Control, job: string, run: Run): Promise<void> {
  await control.write(async (tx) => {
    await tx.insert(schedulerRuns).values({ job, ...run });
    const [tooMany] = await tx
      .select({ id: schedulerRuns.id })
      .from(schedulerRuns)
      .where(eq(schedulerRuns.job, job))
      .orderBy(desc(schedulerRuns.id))
      .limit(1)
      .offset(historyLength);
    const ofThisJob = tooMany && and(eq(schedulerRuns.job, job), lte(schedulerRuns.id, tooMany.id));
    const old = lt(schedulerRuns.started_at, shift(run.finished_at, -historyAge));
    await tx.delete(schedulerRuns).where(or(old, ofThisJob));
  });
}

/** Returns the last runs of a job, newest first. */
export const recentRuns = (reader: Reader<"control">, job: string, limit: number): Promise<Run[]> => {
  const { started_at: startedAt, finished_at: finishedAt, outcome, summary } = schedulerRuns;
  return reader
    .select({ started_at: startedAt, finished_at: finishedAt, outcome, summary })
    .from(schedulerRuns)
    .where(eq(schedulerRuns.job, job))
    .orderBy(desc(schedulerRuns.id))
    .limit(limit);
};

/** Returns whether the last run of each of these jobs failed, by name. A job without a run is not in it. */
export async function failedLast(reader: Reader<"control">, jobs: readonly string[]): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  for (const job of jobs) {
    const [last] = await recentRuns(reader, job, 1);
    if (last !== undefined) found.set(job, last.outcome === "failed");
  }
  return found;
}
