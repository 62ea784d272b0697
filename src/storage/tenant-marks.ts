/** The rows of `tenant_marks` as both stores read and write them. */
import { desc, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { AuditHead } from "./audit.ts";
import { tenantMarks } from "./control.tables.ts";
import type { Control, Tx } from "./store.ts";
import type { WakeUp } from "./tenant-store.ts";

/** Updates the tenant's row. */
export async function mark(
  control: Control,
  id: OrgId,
  marks: Partial<typeof tenantMarks.$inferInsert>,
): Promise<void> {
  await control.write((tx) => tx.update(tenantMarks).set(marks).where(eq(tenantMarks.org_id, id)));
}

/** Makes the row of a tenant that is owned from now on. */
export async function markNew(
  tx: Tx<"control">,
  id: OrgId,
  { schema_version, head }: { schema_version: number; head: AuditHead },
): Promise<void> {
  const { seq: auditSeq, head: auditHead } = head;
  await tx
    .insert(tenantMarks)
    .values({ org_id: id, dirty: true, schema_version, audit_seq: auditSeq, audit_head: auditHead });
}

/** See `TenantStore.wakeUps`. */
export async function markedWakeUps(control: Control, now: Instant): Promise<WakeUp[]> {
  const { org_id, dirty, next_wake_at } = tenantMarks;
  // Each query uses its partial index.
  const { written, stored } = await control.read(async (reader) => ({
    written: await reader.select({ orgId: org_id }).from(tenantMarks).where(sql`${dirty}`),
    stored: await reader.select({ orgId: org_id, at: next_wake_at }).from(tenantMarks).where(isNotNull(next_wake_at)),
  }));
  return [
    ...written.map((row) => ({ ...row, at: now })),
    ...stored.flatMap((row) => (row.at === null ? [] : [{ orgId: row.orgId, at: row.at }])),
  ];
}

/** See `TenantStore.outdated`. */
export const markedAsOlder = (control: Control, version: number): Promise<OrgId[]> =>
  control.read(async (reader) => {
    const { org_id, schema_version } = tenantMarks;
    const rows = await reader.select({ org_id }).from(tenantMarks).where(lt(schema_version, version));
    return rows.map((row) => row.org_id);
  });

/** Returns the tenant that was checkpointed last, so that it is likely to be used next; undefined if none was. */
export async function lastChanged(control: Control): Promise<OrgId | undefined> {
  const { org_id, marked_at } = tenantMarks;
  const [last] = await control.read((reader) =>
    reader.select({ org_id }).from(tenantMarks).where(isNotNull(marked_at)).orderBy(desc(marked_at)).limit(1),
  );
  return last?.org_id;
}
