import { Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";
import type { RestoreNote } from "../../storage/backup/restore-note.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { neverScrubbed, storeScrub } from "../../storage/scrubs.ts";
import { refreshAllEntries } from "../directory/entries/refresh-all-entries.ts";
import { describeTenant } from "../organizations/describe-tenant.ts";
import { acceptRestore } from "./accept-restore.ts";
import { verifyAuditLogs } from "./verify-audit.ts";

type Services = Pick<
  JobServices,
  "backups" | "control" | "clock" | "inspection" | "intents" | "keys" | "log" | "tenant"
>;

/**
 * Brings schools whose files were restored into agreement with the control database: the head of the audit log, the name and the
 * time zone, and the entries in the directory. What a scrub has found was in the file before. The start has applied the intents.
 */
export const finishRestore: JobDefinition<Services, JobSettings> = {
  name: "finish-restore",
  schedule: "*/5 * * * *",
  description: "Brings restored schools into agreement with the control database.",
  atStart: true,
  onEachNode: true,
  due: noTenantWork,
  async run(services, _now, { onProgress } = {}) {
    const { backups, log } = services;
    const note = await backups.unfinished();
    if (note === undefined) return "nothing_due";
    const left: OrgId[] = [];
    let refused = 0;
    for (const [done, orgId] of note.unfinished.entries()) {
      onProgress?.({ done, total: note.unfinished.length });
      try {
        await finishSchool(services, orgId, note);
      } catch (err) {
        log.error({ organization_id: orgId, err }, "A restored school does not agree with the control database.");
        if (err instanceof Problem && (err.code === "CONFLICT" || err.code === "NOT_FOUND")) refused += 1;
        else left.push(orgId);
      }
    }
    await backups.finished(note, left);
    const finished = note.unfinished.length - refused - left.length;
    const parts = [
      `Restored ${counted(note.replaced.length, "file")}, and brought ${counted(finished, "school")} up to date.`,
      refused > 0 ? ` ${counted(refused, "school")} can't be: see the log.` : "",
      left.length > 0 ? ` ${counted(left.length, "school")} are tried again.` : "",
    ];
    return { summary: parts.join(""), failed: refused + left.length > 0 };
  },
};

async function finishSchool(
  { control, clock, inspection, intents, keys, tenant: tenantOf }: Services,
  orgId: OrgId,
  { reason, by, from }: RestoreNote,
): Promise<void> {
  const context: OperatorContext = { actor: { kind: "command_line" }, requestId: "", clock, control };
  const tenant = tenantOf(orgId);
  const { ok } = await verifyAuditLogs(context, { storage: { inspection, keys }, orgId });
  if (!ok) await acceptRestore(context, { keys, inspection, tenant, by, reason: `${reason} (${from})` });
  await describeTenant({ ...context, tenant });
  await refreshAllEntries({ ...context, tenant });
  await intents.apply(orgId);
  await storeScrub(control, { database: orgId, ...neverScrubbed });
}
