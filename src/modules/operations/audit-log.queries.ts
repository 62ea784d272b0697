import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { OrgId } from "../../core/ids.ts";
import { type PageRequest, pageText } from "../../storage/shape.ts";
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

/** Newest first. JSON text. */
export const listAuditLog = (
  reader: Reader,
  { orgId, action, subject_kind, subject_id, ...page }: AuditFilter & PageRequest,
) =>
  pageText(reader, auditEntry, {
    ...page,
    from: auditLog,
    where: and(
      is(auditLog.org_id, orgId),
      is(auditLog.action, action),
      is(auditLog.subject_kind, subject_kind),
      is(auditLog.subject_id, subject_id),
    ),
    orderBy: sql`${auditLog.seq} desc`,
  });
