import { and, desc, eq, lt, lte, or, sql } from "drizzle-orm";
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

const sinceSuccess = sql<
  [number]
>`select count(*) from ${schedulerRuns} where ${schedulerRuns.job} = ${sql.placeholder("job")}
  and ${schedulerRuns.id} > coalesce((select max(${schedulerRuns.id}) from ${schedulerRuns}
    where ${schedulerRuns.job} = ${sql.placeholder("job")} and ${schedulerRuns.outcome} = 'succeeded'), 0)`;

/** Returns how many of a job's last runs failed, one after the other. */
export const failuresOf = async (reader: Reader<"control">, job: string): Promise<number> =>
  (await reader.rows(sinceSuccess, { job }))[0]?.[0] ?? 0;

const lastRuns = sql<[string, string]>`select ${schedulerRuns.job}, ${schedulerRuns.outcome} from ${schedulerRuns}
  where ${schedulerRuns.id} in (select max(${schedulerRuns.id}) from ${schedulerRuns} group by ${schedulerRuns.job})`;

/** Returns whether the last run of each job failed, by name. A job without a run is not in it. */
export const failedLast = async (reader: Reader<"control">): Promise<ReadonlyMap<string, boolean>> =>
  new Map((await reader.rows(lastRuns, {})).map(([job, outcome]) => [job, outcome === "failed"]));
