import { eq } from "drizzle-orm";
import { z } from "zod";
import { authorize } from "../../core/actor.ts";
import { notFound, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { idOf } from "../../http/fields.ts";
import { type AuditChain, type AuditHead, keptHead, type Seal, verifyAudit } from "../../storage/audit.ts";
import { Unreadable } from "../../storage/check/checker.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { installation, tenantMarks } from "../../storage/control.tables.ts";
import { controlSeal, tenantSeal } from "../../storage/installation.ts";
import type { Storage } from "../../storage/storage.ts";

const VerifiedLog = z.strictObject({
  database: z.enum(["control", "tenant"]),
  organization_id: idOf<"organization">().nullable(),
  /** The number of valid rows, from the first. */
  rows: z.int(),
  /** What is wrong with the next row or with the end of the log; null if the log is valid. */
  fault: z.string().nullable(),
});
type VerifiedLog = z.infer<typeof VerifiedLog>;

export const AuditVerification = z.strictObject({ ok: z.boolean(), logs: z.array(VerifiedLog) });
export type AuditVerification = z.infer<typeof AuditVerification>;

interface Input {
  storage: Sources;
  /** Verifies only this organization's log. Without it, all logs including that of the control database. */
  orgId?: OrgId | undefined;
}

/**
 * Verifies audit logs row by row, and against their heads in the control database. A tenant that can't be opened is a
 * fault in the report, and the other tenants are still verified.
 *
 * @throws NOT_FOUND no such organization
 */
export async function verifyAuditLogs(context: OperatorContext, { storage, orgId }: Input): Promise<AuditVerification> {
  authorize(context.actor, "audit:read");
  const logs: VerifiedLog[] = orgId === undefined ? [await verifyControl(context, storage)] : [];
  for (const mark of await marks(context, orgId)) logs.push(await verifyTenant(storage, mark));
  return { ok: logs.every(({ fault }) => fault === null), logs };
}

type Mark = Pick<typeof tenantMarks.$inferSelect, "org_id" | "audit_seq" | "audit_head">;

/** Reads the heads before the logs: rows that are written meanwhile only make the logs longer. */
async function marks({ control }: OperatorContext, orgId: OrgId | undefined): Promise<Mark[]> {
  const rows = await control.read((reader) =>
    reader
      .select({ org_id: tenantMarks.org_id, audit_seq: tenantMarks.audit_seq, audit_head: tenantMarks.audit_head })
      .from(tenantMarks)
      .where(orgId === undefined ? undefined : eq(tenantMarks.org_id, orgId))
      .orderBy(tenantMarks.org_id),
  );
  if (orgId !== undefined && rows.length === 0) throw notFound("There is no such organization.");
  return rows;
}

type Sources = Pick<Storage, "inspection" | "keys">;

async function verifyControl({ control }: OperatorContext, { inspection, keys }: Sources): Promise<VerifiedLog> {
  const columns = { audit_seq: installation.audit_seq, audit_head: installation.audit_head };
  const [kept] = await control.read((reader) => reader.select(columns).from(installation));
  const head = keptHead(kept);
  const log = { database: "control", organization_id: null } as const;
  return { ...log, ...(await verified(inspection.auditChain("control", head.seq), controlSeal(keys), head)) };
}

async function verifyTenant({ inspection, keys }: Sources, mark: Mark): Promise<VerifiedLog> {
  const head = keptHead(mark);
  const log = { database: "tenant", organization_id: mark.org_id } as const;
  const chain = inspection.auditChain(mark.org_id, head.seq);
  return { ...log, ...(await verified(chain, tenantSeal(keys, mark.org_id), head)) };
}

/** Another process reads the log: that takes seconds for a long one, and damage can end the process that reads it. */
async function verified(
  chain: Promise<AuditChain>,
  seal: Seal,
  head: AuditHead,
): Promise<Pick<VerifiedLog, "rows" | "fault">> {
  try {
    const { rows, fault } = verifyAudit(await chain, seal, head);
    return { rows, fault: fault ?? null };
  } catch (error) {
    return { rows: 0, fault: readFault(error) };
  }
}

/** Returns the fault of a log that can't be read. @throws errors that are not faults of the file */
function readFault(error: unknown): string {
  if (error instanceof Unreadable) return `the log can't be read: ${error.message}`;
  // The reason contains paths, so it is only in the log.
  if (error instanceof Problem && error.code === "TENANT_UNAVAILABLE") return "the tenant can't be opened or read";
  throw error;
}
