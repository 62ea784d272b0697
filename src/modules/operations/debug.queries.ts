import type { z } from "zod";
import { atMost } from "../../core/async.ts";
import type { Backlogs } from "../../events/backlogs.ts";
import type { Dispatcher } from "../../events/dispatcher.ts";
import { failuresOf, type Run, recentRuns } from "../../scheduler/history.ts";
import type { ScheduledJob } from "../../scheduler/scheduler.ts";
import type { Control, Reader } from "../../storage/store.ts";
import type { DispatcherStatus, SchedulerStatus } from "./debug.schemas.ts";
import { organizationNames } from "./organization-names.queries.ts";

/** The number of runs of each job: in the list of jobs, and for a single job. */
export const runsInList = 10;
export const runsOfOne = 100;

/** Returns all jobs with their last runs. */
export const findSchedulers = (reader: Reader<"control">, jobs: readonly ScheduledJob[]) =>
  Promise.all(jobs.map((job) => findScheduler(reader, job, runsInList)));

/** Returns a job with its last runs, newest first. */
export async function findScheduler(
  reader: Reader<"control">,
  { name, schedule, description, nextRunAt, runningSince, progress }: ScheduledJob,
  limit: number,
): Promise<z.infer<typeof SchedulerStatus>> {
  const runs = (await recentRuns(reader, name, limit)).map(runOut);
  const failures = await failuresOf(reader, name);
  return {
    ...{ name, schedule, description, next_run_at: nextRunAt, running_since: runningSince, progress },
    failures_in_a_row: failures,
    runs,
  };
}

export const runOut = ({ started_at, finished_at, outcome, summary }: Run) => ({
  started_at,
  finished_at,
  // Negative if the system clock was set back during the run.
  duration_ms: Math.max(0, Date.parse(finished_at) - Date.parse(started_at)),
  outcome,
  summary,
});

interface Deliveries {
  deliveries: Pick<Dispatcher, "stats" | "outcomes">;
  backlogs: Backlogs;
}

/** Milliseconds that this waits for the organizations' backlogs. What is not there by then is older. */
const longestWait = 500;

/** The number of organizations that are listed. */
const mostOrganizations = 100;

/** Returns the current and the pending deliveries. */
export async function findDispatcher(
  control: Control,
  { deliveries, backlogs }: Deliveries,
): Promise<z.infer<typeof DispatcherStatus>> {
  const { inFlight: in_flight, ...stats } = deliveries.stats();
  const attempts = Object.fromEntries(deliveries.outcomes());
  await atMost(longestWait, backlogs.refresh());
  const latest = backlogs
    .known()
    .toSorted((a, b) => b.lag - a.lag)
    .slice(0, mostOrganizations);
  const names = await control.read((reader) =>
    organizationNames(
      reader,
      latest.map(({ orgId }) => orgId),
    ),
  );
  const organizations = latest.map(({ orgId, deliveries: backlog, failingEndpoints, lag, readAt }) => ({
    organization_id: orgId,
    organization_name: names.get(orgId) ?? null,
    backlog,
    lag_seconds: lag,
    failing_endpoints: failingEndpoints,
    read_at: readAt,
  }));
  return { in_flight, ...stats, attempts, organizations };
}
