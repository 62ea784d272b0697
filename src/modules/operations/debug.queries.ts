import type { z } from "zod";
import { type Run, recentRuns } from "../../scheduler/history.ts";
import type { ScheduledJob } from "../../scheduler/scheduler.ts";
import type { Reader } from "../../storage/store.ts";
import type { SchedulerStatus } from "./debug.schemas.ts";

/** Returns a job with its last runs, newest first. */
export async function findScheduler(
  reader: Reader<"control">,
  { name, schedule, description, nextRunAt, runningSince, progress }: ScheduledJob,
  limit: number,
): Promise<z.infer<typeof SchedulerStatus>> {
  const runs = (await recentRuns(reader, name, limit)).map(runOut);
  return { name, schedule, description, next_run_at: nextRunAt, running_since: runningSince, progress, runs };
}

const runOut = ({ started_at, finished_at, outcome, summary }: Run) => ({
  started_at,
  finished_at,
  // Negative if the system clock was set back during the run.
  duration_ms: Math.max(0, Date.parse(finished_at) - Date.parse(started_at)),
  outcome,
  summary,
});
