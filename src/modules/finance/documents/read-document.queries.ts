import { eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import { conflict, gone } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { hundredthsOf } from "../finance.fields.ts";
import { findInvoice, invoiceEntity } from "../invoices/invoices.queries.ts";
import { linesOf } from "../invoices/lines.ts";
import { precedingOf } from "../invoices/preceding.queries.ts";
import { invoicesOf } from "../invoices/remainder.queries.ts";
import { type InvoiceId, type InvoiceRow, financeInvoices as invoices, type Seller } from "../invoices.tables.ts";
import { settingsOf } from "../settings/settings.ts";
import { isIdentified } from "./e-invoice-issues.ts";
import type { InvoiceDocument, InvoiceLine, NationalVat, Preceding } from "./invoice-document.ts";

/**
 * Returns an invoice as it was sent, with what was settled at once: its documents do not change afterwards, but for being void
 * without a cancellation, and for a number that identifies the seller if it was sent without.
 *
 * @throws NOT_FOUND no such invoice, or the actor may not see it; CONFLICT it is a draft; GONE the buyer was erased
 */
export async function readDocument(
  reader: Reader<"tenant">,
  invoiceId: InvoiceId,
  actor: MemberActor,
): Promise<InvoiceDocument> {
  await findInvoice(reader, invoiceId, actor);
  const row = await invoiceEntity.row(reader, { invoiceId });
  const { number, issued_date, seller, buyer, deliver_to } = row;
  if (number === null || issued_date === null || seller === null || buyer === null)
    throw conflict("wrong_status", "The invoice was not sent. Documents are of what was sent.", { status: "draft" });
  await requireContent(reader, invoiceId);
  const { kind, due_on, currency, note, net_minor, vat_minor, gross_minor, vat } = row;
  const corrected = await precedingOf(reader, invoiceId);
  const preceding = new Map(corrected.map(({ id, number, issued_on }) => [id, { number, issued_on }]));
  return {
    kind,
    language: row.language ?? "en",
    number,
    issued_on: issued_date,
    due_on,
    currency,
    note,
    buyer,
    deliver_to,
    seller: await identified(reader, seller),
    net_minor,
    vat_minor,
    gross_minor,
    national: nationalVatIn(row),
    paid_minor: row.prepaid_minor,
    preceding: [...preceding.values()],
    void: row.status === "void" && !(await isCancelled(reader, invoiceId)),
    vat: vat.map((subtotal) => ({ ...subtotal, vat_rate: hundredthsOf(subtotal.vat_rate) })),
    lines: await correctingLines(reader, invoiceId, preceding),
  };
}

const nationalVatIn = ({ national_currency, national_vat_minor, exchange_rate }: InvoiceRow): NationalVat | null =>
  national_currency === null || national_vat_minor === null
    ? null
    : { currency: national_currency, vat_minor: national_vat_minor, exchange_rate };

/** Returns the lines of an invoice, each with the document that it corrects. */
async function correctingLines(
  reader: Reader<"tenant">,
  id: InvoiceId,
  preceding: ReadonlyMap<InvoiceId, Preceding>,
): Promise<InvoiceLine[]> {
  const lines = await linesOf(reader, id);
  const invoices = await invoicesOf(
    reader,
    lines.flatMap(({ credits_line_id }) => credits_line_id ?? []),
  );
  return lines.map((line) => {
    const invoice = line.credits_line_id && invoices.get(line.credits_line_id);
    return { ...line, corrects: (invoice && preceding.get(invoice)) ?? null };
  });
}

/** An e-invoice must identify the seller. Nothing else of it says who that is, so a number that came later is as good. */
async function identified(reader: Reader<"tenant">, seller: Seller): Promise<Seller> {
  if (isIdentified(seller)) return seller;
  const { register_number } = await settingsOf(reader);
  return { ...seller, register_number };
}

const isCancelled = async (reader: Reader<"tenant">, id: InvoiceId): Promise<boolean> =>
  (await reader.values(sql`select 1 from ${invoices} where ${invoices.cancels_id} = ${id}`)).length > 0;

/** @throws GONE the buyer's data was erased, and the documents with it */
export async function requireContent(reader: Reader<"tenant">, invoiceId: InvoiceId): Promise<void> {
  const [found] = await reader
    .select({ content_removed_at: people.erased_at })
    .from(invoices)
    .innerJoin(people, eq(people.id, invoices.person_id))
    .where(eq(invoices.id, invoiceId));
  const content_removed_at = found?.content_removed_at ?? null;
  if (content_removed_at === null) return;
  throw gone("content_removed", "The buyer's data was erased, and the documents with it.", { content_removed_at });
}
