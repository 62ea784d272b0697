import { and, asc, eq, sql } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import type { DefectId, PersonId, WorkOrderId } from "../../core/ids.ts";
import { storedContent } from "../../storage/content.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { lookUp } from "../../storage/lookup.ts";
import { descending, listOf } from "../../storage/page.ts";
import type { Reader, Tenant } from "../../storage/store.ts";
import { complianceRecords, type RecordId } from "../compliance/compliance.tables.ts";
import { attachment } from "./attachments.schemas.ts";
import { type AttachmentId, attachmentChunks as chunks, attachments as table } from "./attachments.tables.ts";

type TenantReader = Reader<"tenant">;
type AttachmentRow = typeof table.$inferSelect;

/** What attachments belong to: the column, and its value. */
export type Owner = { record_id: RecordId } | { work_order_id: WorkOrderId } | { defect_id: DefectId };

export const attachmentEntity = entityOf("attachment", {
  table,
  shape: attachment,
  path: { attachmentId: table.id },
});

/** Returns JSON text, newest first: ids begin with the time when the upload began. */
export const listAttachments = listOf(attachment, { from: table, orderBy: descending(attachment, "id") });

/** @throws NOT_FOUND the owner has no such attachment */
export async function requireAttachment(
  reader: TenantReader,
  owner: Owner,
  attachmentId: AttachmentId,
): Promise<AttachmentRow> {
  const row = await attachmentEntity.row(reader, { attachmentId });
  if (Object.entries(owner).some(([column, id]) => row[column as keyof AttachmentRow] !== id)) throw notFound();
  return row;
}

/** Returns all attachments of a record, a work order or a defect, the oldest first. */
export function attachmentsOf(reader: TenantReader, owner: Owner): Promise<AttachmentRow[]> {
  const isOf = Object.entries(owner).map(([column, id]) => sql`${table[column as keyof AttachmentRow]} = ${id}`);
  return reader
    .select()
    .from(table)
    .where(and(...isOf))
    .orderBy(asc(table.id));
}

/** Returns the compliance records of a person. */
export async function recordsOf(reader: TenantReader, personId: PersonId): Promise<RecordId[]> {
  const { id, person_id } = complianceRecords;
  const rows = await reader.select({ id }).from(complianceRecords).where(eq(person_id, personId)).orderBy(asc(id));
  return rows.map((row) => row.id);
}

const chunk = lookUp(
  { data: chunks.data },
  sql`from ${chunks} where ${chunks.attachment_id} = ${sql.placeholder("id")} and ${chunks.position} = ${sql.placeholder("position")}`,
);

const rowId = lookUp({ id: table.id }, sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);

/** Reads the content, one chunk at a time. @throws as of `storedContent` */
export const contentOf = (
  tenant: Pick<Tenant, "read">,
  { id, size_bytes: bytes, chunk_digests: digests }: Pick<AttachmentRow, "id" | "size_bytes" | "chunk_digests">,
): AsyncGenerator<Uint8Array> =>
  storedContent(tenant, {
    bytes,
    digests,
    chunk: (reader, position) => chunk(reader, { id, position }),
    exists: async (reader) => (await rowId(reader, { id })) !== undefined,
  });
