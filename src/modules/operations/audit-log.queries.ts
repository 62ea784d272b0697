import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { OrgId } from "../../core/ids.ts";
import { descending, type PageRequest, pageText } from "../../storage/page.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Reader } from "../../storage/store.ts";
import { auditEntry } from "./audit-log.shapes.ts";

interface AuditFilter {
  /** In the control database, whose rows. */
  orgId?: OrgId;
  action?: string | undefined;
  subject_kind?: string | undefined;
  subject_id?: string | undefined;
}

const is = (column: SQLiteColumn, value: string | undefined) => (value === undefined ? undefined : eq(column, value));

const newestFirst = descending(auditEntry, "seq");

/** Newest first. JSON text. */
export function listAuditLog(
  reader: Reader,
  { orgId, action, subject_kind, subject_id, ...page }: AuditFilter & PageRequest,
): Promise<string> {
  return pageText(reader, auditEntry, {
    ...page,
    from: auditLog,
    where: and(
      // A subject has few rows: its index before all others, which are partial and demand to know the organization.
      subject_id === undefined ? ofOrganization(orgId) : sql`+(${ofOrganization(orgId)})`,
      is(auditLog.subject_id, subject_id),
      is(auditLog.action, action),
      is(auditLog.subject_kind, subject_kind),
    ),
    orderBy: newestFirst,
  });
}

/** In a tenant's own file all rows are of one organization, and none says which. */
const ofOrganization = (orgId: OrgId | undefined): SQL =>
  orgId === undefined ? isNull(auditLog.org_id) : eq(auditLog.org_id, orgId);
