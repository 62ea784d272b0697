import { type Finding, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";
import { failuresOf, recentRuns } from "../../../scheduler/history.ts";

/** What `windsock doctor` finds of jobs: those whose last run failed. A run without work ends a failure, unless that work waits. */
export async function examineJobs({ control, jobs }: Pick<DiagnosisServices, "control" | "jobs">): Promise<Finding[]> {
  const found = await control.read((reader) =>
    Promise.all(
      jobs().map(async ({ name }): Promise<Finding[]> => {
        const failures = await failuresOf(reader, name);
        const [last] = failures > 0 ? await recentRuns(reader, name, 1) : [];
        if (last === undefined) return [];
        const { finished_at: at, summary } = last;
        const times = failures === 1 ? "" : ` ${failures} times in a row`;
        const message = `The job ${name} has failed${times}, last at ${at}: ${summary}`;
        const remedy = `The log has the cause. \`windsock jobs run ${name}\` tries again.`;
        return [
          warning("jobs", message, remedy, { code: "job_failing", params: { job: name, failures, at, summary } }),
        ];
      }),
    ),
  );
  const failing = found.flat();
  return failing.length > 0 ? failing : [fine("jobs", "The last run of no job has failed.")];
}
