import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { toInstant } from "../../core/clock.ts";
import { notFound, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import type { OnProgress } from "../../core/progress.ts";
import { messageOf } from "../../core/system-error.ts";
import type { RestoreRequest } from "../../storage/backup/restore.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import type { OperatorDeps } from "./command.ts";

/**
 * Replaces one school's file by its copy in a backup, while the others go on, and brings it into agreement with the control
 * database.
 *
 * @throws NOT_FOUND no such organization
 * @throws CONFLICT  the copy or the present file can't be used so; nothing was changed
 */
export async function restoreOne(
  { actor, clock, control }: OperatorContext,
  { storage: { backups }, scheduler }: OperatorDeps,
  { orgId, onProgress, ...request }: RestoreRequest & { orgId: OrgId; onProgress?: OnProgress | undefined },
) {
  authorize(actor, "audit:read");
  const [owned] = await control.read((reader) =>
    reader.select({ id: tenantMarks.org_id }).from(tenantMarks).where(eq(tenantMarks.org_id, orgId)),
  );
  if (owned === undefined)
    throw notFound("There is no such organization here. Restore the whole backup, or choose another.");
  const kept = await backups.restoreSchool(request, orgId, onProgress).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    throw new Problem("CONFLICT", messageOf(error), { cause: error });
  });
  const { started_at, finished_at, outcome, summary } = await scheduler
    .runNow("finish-restore")
    .catch((error: unknown) => {
      if (!(error instanceof Problem && error.reason === "job_running")) throw error;
      const now = toInstant(clock.now());
      return { started_at: now, finished_at: now, outcome: "idle" as const, summary: later };
    });
  return { kept: kept ?? null, run: { started_at, finished_at, outcome, summary } };
}

/** The run that has begun may not know this school. */
const later = "Restored 1 file. The job finish-restore brings the school up to date within five minutes.";
