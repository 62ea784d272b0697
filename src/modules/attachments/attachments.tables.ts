/** Tenant database: files that belong to compliance records, work orders and defects. */
import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { DefectId, Id, UserId, WorkOrderId } from "../../core/ids.ts";
import { complianceRecords, type RecordId } from "../compliance/compliance.tables.ts";
import { defects, workOrders } from "../maintenance/maintenance.tables.ts";

export type AttachmentId = Id<"attachment">;

export const mediaTypes = ["application/pdf", "image/jpeg", "image/png"] as const;

/** Whole files. Their content is in `attachment_chunks`. */
export const attachments = sqliteTable(
  "attachments",
  {
    id: text().$type<AttachmentId>().primaryKey(),
    /** It belongs to one of these. */
    record_id: text()
      .$type<RecordId>()
      .references(() => complianceRecords.id),
    work_order_id: text()
      .$type<WorkOrderId>()
      .references(() => workOrders.id),
    defect_id: text()
      .$type<DefectId>()
      .references(() => defects.id),
    filename: text().notNull(),
    media_type: text({ enum: mediaTypes }).notNull(),
    size_bytes: integer().notNull(),
    sha256: text().notNull(),
    /** See `storage/content.ts`. */
    chunk_digests: blob({ mode: "buffer" }),
    uploaded_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    check(
      "attachments_owner",
      sql`(${table.record_id} is not null) + (${table.work_order_id} is not null) + (${table.defect_id} is not null) = 1`,
    ),
    index("attachments_record").on(table.record_id, table.id).where(sql`${table.record_id} is not null`),
    index("attachments_work_order").on(table.work_order_id, table.id).where(sql`${table.work_order_id} is not null`),
    index("attachments_defect").on(table.defect_id, table.id).where(sql`${table.defect_id} is not null`),
  ],
);

/** Content without an attachment: it is arriving, or is being deleted. */
export const attachmentUploads = sqliteTable("attachment_uploads", {
  id: text().$type<AttachmentId>().primaryKey(),
  /** What it counts for in `attachment_usage`: its declared length, or more if more has arrived. */
  reserved_bytes: integer().notNull(),
  started_at: text().$type<Instant>().notNull(),
});

/** The content of attachments and uploads, in pieces that are written and read one at a time. */
export const attachmentChunks = sqliteTable(
  "attachment_chunks",
  {
    attachment_id: text().$type<AttachmentId>().notNull(),
    /** From 0. */
    position: integer().notNull(),
    data: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.attachment_id, table.position] })],
);

/** One row: the bytes of all attachments and uploads. A sum would read every row for each upload. */
export const attachmentUsage = sqliteTable("attachment_usage", {
  only: integer().primaryKey().default(1),
  bytes: integer().notNull(),
});
