import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { OrgId } from "../../core/ids.ts";
import type { Bytes } from "../../core/kept-body.ts";
import { descending, type PageRequest, pageBody } from "../../storage/page.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Reader } from "../../storage/store.ts";
import { auditEntry } from "./audit-log.shapes.ts";

interface AuditFilter {
  /** Only for the control database: the organization of the rows. */
  orgId?: OrgId;
  action?: string | undefined;
  subject_kind?: string | undefined;
  subject_id?: string | undefined;
}

const equals = (column: SQLiteColumn, value: string | undefined) =>
  value === undefined ? undefined : eq(column, value);

const newestFirst = descending(auditEntry, "seq");

/** Returns JSON text, newest first. */
export function listAuditLog(
  reader: Reader,
  { orgId, action, subject_kind, subject_id, ...page }: AuditFilter & PageRequest,
): Promise<Bytes> {
  return pageBody(reader, auditEntry, {
    ...page,
    from: auditLog,
    where: and(
      // A subject has few rows, so its index is best. `+` keeps SQLite from the partial indexes of the organization.
      subject_id === undefined ? ofOrganization(orgId) : sql`+(${ofOrganization(orgId)})`,
      equals(auditLog.subject_id, subject_id),
      equals(auditLog.action, action),
      // An action says of what kind its subjects are: then its index is best.
      action === undefined || subject_kind === undefined
        ? equals(auditLog.subject_kind, subject_kind)
        : sql`+${auditLog.subject_kind} = ${subject_kind}`,
    ),
    orderBy: newestFirst,
  });
}

/** In a tenant database all rows are of one organization, and `org_id` is null. */
const ofOrganization = (orgId: OrgId | undefined): SQL =>
  orgId === undefined ? isNull(auditLog.org_id) : eq(auditLog.org_id, orgId);
