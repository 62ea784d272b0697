/** The documents of an invoice that was sent are made once: whoever downloads one again gets the same bytes. */
import { eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { inChunks } from "../../../core/chunks.ts";
import type { Clock } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { newId } from "../../../core/ids.ts";
import { chunkDigest, storedContent } from "../../../storage/content.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader, Tenant, Tx } from "../../../storage/store.ts";
import { financeDocumentChunks as chunks, financeDocuments as table } from "../documents.tables.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { requireContent } from "./read-document.queries.ts";

export type DocumentFormat = (typeof table.$inferSelect)["format"];
export type KeptDocument = typeof table.$inferSelect;

interface Which {
  invoiceId: InvoiceId;
  format: DocumentFormat;
}

/** Returns a document of an invoice, if it was made already. */
export const keptDocument = (
  reader: Reader<"tenant">,
  { invoiceId, format }: Which,
): Promise<KeptDocument | undefined> => ofInvoice(reader, { invoiceId, format });

const ofInvoice = lookUp(
  getTableColumns(table),
  sql`from ${table} where ${table.invoice_id} = ${sql.placeholder("invoiceId")}
    and ${table.format} = ${sql.placeholder("format")}`,
);

/** Removes the documents of an invoice. `requireContent` tells from then on why there are none. */
export async function removeDocuments(tx: Tx<"tenant">, invoiceId: InvoiceId): Promise<void> {
  const own = tx.select({ id: table.id }).from(table).where(eq(table.invoice_id, invoiceId));
  await tx.delete(chunks).where(inArray(chunks.document_id, own));
  await tx.delete(table).where(eq(table.invoice_id, invoiceId));
}

/** Keeps a document that was made. @returns it, or the one that another request has kept meanwhile @throws GONE */
export async function keepDocument(
  { tenant, clock }: { tenant: Tenant; clock: Clock },
  { invoiceId, format }: Which,
  content: Uint8Array,
): Promise<KeptDocument> {
  const pieces: Buffer[] = [];
  for await (const chunk of inChunks(oneOf(content))) pieces.push(Buffer.from(chunk));
  return tenant.write(async (tx) => {
    tx.unseen();
    // The buyer may have been erased while it was made.
    await requireContent(tx, invoiceId);
    const kept = await keptDocument(tx, { invoiceId, format });
    if (kept !== undefined) return kept;
    const row = {
      id: newId<"invoice_document">(clock),
      invoice_id: invoiceId,
      format,
      size_bytes: content.length,
      sha256: sha256(content),
      chunk_digests: Buffer.concat(pieces.map(chunkDigest)),
      created_at: tx.now,
    };
    await insertRow(tx, table, row);
    for (const [position, data] of pieces.entries())
      await insertRow(tx, chunks, { document_id: row.id, position, data });
    return row;
  });
}

async function* oneOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Reads the content, one chunk at a time. @throws as of `storedContent` */
export const contentOf = (tenant: Pick<Tenant, "read">, { id, size_bytes, chunk_digests }: KeptDocument) =>
  storedContent(tenant, {
    bytes: size_bytes,
    digests: chunk_digests,
    chunk: (reader, position) => chunkAt(reader, { id, position }),
    exists: async (reader) => (await rowId(reader, { id })) !== undefined,
  });

const chunkAt = lookUp(
  { data: chunks.data },
  sql`from ${chunks} where ${chunks.document_id} = ${sql.placeholder("id")} and ${chunks.position} = ${sql.placeholder("position")}`,
);

const rowId = lookUp({ id: table.id }, sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);
