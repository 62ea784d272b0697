import { eq } from "drizzle-orm";
import { z } from "zod";
import { authorize } from "../../core/actor.ts";
import { notFound, Problem } from "../../core/errors.ts";
import { type AuditHead, audit, headAt, keptHead, verifyAudit } from "../../storage/audit.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import { tenantSeal } from "../../storage/installation.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Tenant } from "../../storage/store.ts";

export const AcceptedRestore = z.strictObject({
  /** The number of rows that the log had at its last checkpoint before the restore. */
  rows_before: z.int(),
  /** The number of rows that are sealed now. */
  rows: z.int(),
});

interface Input extends Pick<Storage, "keys" | "inspection"> {
  tenant: Tenant;
  /** The person who accepts, as the operating system names them. */
  by: string;
  reason: string;
}

/**
 * Accepts the audit log of a tenant file that was restored from a backup: seals its last row instead of the row that the
 * last checkpoint before the restore sealed. The control database's audit log records both heads, who accepted, and why.
 *
 * @throws NOT_FOUND no such organization
 * @throws CONFLICT  the log matches its stored head, or its rows were changed
 */
export async function acceptRestore(
  context: OperatorContext,
  { keys, inspection, tenant, by, reason }: Input,
): Promise<z.infer<typeof AcceptedRestore>> {
  const { actor, control } = context;
  authorize(actor, "audit:read");
  const { id: orgId } = tenant;
  const seal = tenantSeal(keys, orgId);
  const [mark] = await control.read((reader) => reader.select().from(tenantMarks).where(eq(tenantMarks.org_id, orgId)));
  if (mark === undefined) throw notFound("There is no such organization.");
  const kept = keptHead(mark);
  const chain = await inspection.auditChain(orgId, kept.seq);
  if (chain.fault !== undefined)
    throw new Problem(
      "CONFLICT",
      `The log can't be accepted: ${chain.fault}. A restored log is an earlier state of the log, without changed rows.`,
    );
  if (verifyAudit(chain, seal, kept).fault === undefined)
    throw new Problem("CONFLICT", "The log matches its stored head. There is nothing to accept.");
  const head = await tenant.read((reader) => headAt(reader, seal, chain.rows));
  await control.write(async (tx) => {
    await tx
      .update(tenantMarks)
      .set({ audit_seq: head.seq, audit_head: head.head })
      .where(eq(tenantMarks.org_id, orgId));
    await audit(tx, context, "audit_log.restore_accepted", {
      subject: { kind: "organization", id: orgId },
      orgId,
      before: recorded(kept),
      after: { ...recorded(head), accepted_by: by, reason },
    });
  });
  return { rows_before: kept.seq, rows: head.seq };
}

const recorded = ({ seq, head }: AuditHead) => ({ rows: seq, head });
