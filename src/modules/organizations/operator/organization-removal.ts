import { asc } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import { suspensions } from "../../../identity/identity.tables.ts";
import type { JobServices, JobSettings } from "../../../module.ts";
import { counted, type JobDefinition, jobContext, noTenantWork } from "../../../scheduler/job.ts";
import { runOffSite } from "../../../storage/backup/off-site.ts";
import { dueRemovals, removeOrganization } from "./remove-organization.ts";

type Services = Pick<
  JobServices,
  "backups" | "backupSettings" | "clock" | "control" | "intents" | "log" | "stopping" | "tenants"
>;

/** After the backup of the night. At the start, for a removal that a crash has interrupted. */
export const organizationRemoval: JobDefinition<Services, JobSettings> = {
  name: "organization-removal",
  schedule: "52 3 * * *",
  description: "Removes the organizations whose time has come (`windsock org delete`), each after a last backup.",
  atStart: true,
  due: noTenantWork,
  async run(services, now, { onProgress } = {}) {
    const { control, log, stopping, tenants } = services;
    const context = { ...jobContext("organization-removal", services), tenants };
    const due = await control.read((reader) =>
      reader
        .select({ id: suspensions.org_id })
        .from(suspensions)
        .where(dueRemovals(now))
        .orderBy(asc(suspensions.removal_at)),
    );
    if (due.length === 0) return "nothing_due";
    let [removed, failed] = [0, 0];
    for (const [done, { id }] of due.entries()) {
      onProgress?.({ done, total: due.length });
      if (stopping.aborted) break;
      try {
        if (await removeOrganization({ ...context, backUp: (orgId) => backUp(services, orgId) }, id)) removed += 1;
      } catch (err) {
        if (stopping.aborted) break;
        log.error({ organization_id: id, err }, "An organization could not be removed. The next run tries again.");
        failed += 1;
      }
    }
    const rest = failed > 0 ? ` ${failed} could not be removed: see the log.` : "";
    return { summary: `Removed ${counted(removed, "organization")}.${rest}`, failed: failed > 0 };
  },
};

/** Copies the organization's file, and has the copy verified. Backups of one organization are kept, whatever their age. */
async function backUp(
  { backups, backupSettings: { place = backups.beside, recipient, command }, intents, stopping }: Services,
  organization: OrgId,
): Promise<string> {
  const keepIntents = () => intents.keep();
  const { path, manifest } = await backups.take({
    place,
    organization,
    isFull: true,
    recipient,
    keepIntents,
    stopping,
  });
  const copy = manifest.files.find(({ database }) => database === organization);
  if (copy === undefined || copy.fault !== undefined)
    throw new Error(`There is no good copy of its present file: ${copy?.fault ?? "it was not copied"}`);
  if (command !== undefined) await runOffSite(command, path, stopping);
  return path;
}
