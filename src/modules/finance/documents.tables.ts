/** Tenant database: the documents of invoices that were sent, as they were made once. */
import { blob, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { Id } from "../../core/ids.ts";
import { financeInvoices, type InvoiceId } from "./invoices.tables.ts";

export type DocumentId = Id<"invoice_document">;

/** For people, and the formats of e-invoices. */
export const documentFormats = ["pdf", "xrechnung", "factur-x"] as const;

/** Their content is in `finance_document_chunks`. */
export const financeDocuments = sqliteTable(
  "finance_documents",
  {
    id: text().$type<DocumentId>().primaryKey(),
    invoice_id: text()
      .$type<InvoiceId>()
      .notNull()
      .references(() => financeInvoices.id),
    format: text({ enum: documentFormats }).notNull(),
    size_bytes: integer().notNull(),
    sha256: text().notNull(),
    /** See `storage/content.ts`. */
    chunk_digests: blob({ mode: "buffer" }).notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [uniqueIndex("finance_documents_invoice").on(table.invoice_id, table.format)],
);

export const financeDocumentChunks = sqliteTable(
  "finance_document_chunks",
  {
    document_id: text().$type<DocumentId>().notNull(),
    /** From 0. */
    position: integer().notNull(),
    data: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.document_id, table.position] })],
);
