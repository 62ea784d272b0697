import { untilAborted } from "../../core/async.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";

/**
 * Migrates the files of all schools after an upgrade, one after the other, so that no school waits for that at its first
 * request. A file whose migration fails is left as it was, and the next run tries again.
 */
export const migrateTenants: JobDefinition<Pick<JobServices, "tenants" | "log" | "pause" | "stopping">, JobSettings> = {
  name: "migrations",
  schedule: "20 7 * * * *",
  description: "Migrates the files of schools that an older version of Windsock wrote last. Pauses under load.",
  atStart: true,
  due: noTenantWork,
  async run({ tenants, log, pause, stopping }, _, { onProgress } = {}) {
    const outdated = await tenants.outdated();
    if (outdated.length === 0) return "nothing_due";
    let [done, failed] = [0, 0];
    for (const id of outdated) {
      onProgress?.({ done: done + failed, total: outdated.length });
      await pause();
      if (stopping.aborted) break;
      try {
        // A stop does not wait for a check of the file. Its migration begins after the check.
        if (!(await untilAborted(stopping, tenants.migrate(id)))) break;
        done += 1;
      } catch (err) {
        log.error({ organization_id: id, err }, "A school's file could not be migrated. It is left as it was.");
        failed += 1;
      }
    }
    const left = outdated.length - done - failed;
    const rest = [failed > 0 ? ` ${failed} failed.` : "", left > 0 ? ` ${left} are left for the next start.` : ""];
    return { summary: `Migrated ${counted(done, "school")}.${rest.join("")}`, failed: failed > 0 };
  },
};
