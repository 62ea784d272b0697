import type { MemberActor } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { hundredthsOf } from "../finance.fields.ts";
import { findInvoice, invoiceEntity } from "../invoices/invoices.queries.ts";
import { linesOf } from "../invoices/lines.ts";
import type { InvoiceId, InvoiceRow, Seller } from "../invoices.tables.ts";
import { settingsOf } from "../settings/settings.ts";
import { isIdentified } from "./e-invoice-issues.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

/**
 * Returns an invoice as it was sent, with what was settled at once: its documents do not change afterwards, but for being void,
 * and for a number that identifies the seller if it was sent without.
 *
 * @throws NOT_FOUND no such invoice, or the actor may not see it; CONFLICT it is a draft
 */
export async function readDocument(
  reader: Reader<"tenant">,
  invoiceId: InvoiceId,
  actor: MemberActor,
): Promise<InvoiceDocument> {
  await findInvoice(reader, invoiceId, actor);
  const row = await invoiceEntity.row(reader, { invoiceId });
  const { number, issued_date, seller, buyer } = row;
  if (number === null || issued_date === null || seller === null || buyer === null)
    throw conflict("wrong_status", "The invoice was not sent. Documents are of what was sent.");
  const { kind, due_on, currency, note, net_minor, vat_minor, gross_minor, vat } = row;
  return {
    ...{ kind, number, issued_on: issued_date, due_on, currency, note, buyer },
    seller: await identified(reader, seller),
    ...{ net_minor, vat_minor, gross_minor, paid_minor: row.prepaid_minor },
    credits: await creditedBy(reader, row),
    void: row.status === "void",
    vat: vat.map((subtotal) => ({ ...subtotal, vat_rate: hundredthsOf(subtotal.vat_rate) })),
    lines: await linesOf(reader, invoiceId),
  };
}

/** An e-invoice must identify the seller. Nothing else of it says who that is, so a number that came later is as good. */
async function identified(reader: Reader<"tenant">, seller: Seller): Promise<Seller> {
  if (isIdentified(seller)) return seller;
  const { register_number } = await settingsOf(reader);
  return { ...seller, register_number };
}

async function creditedBy(reader: Reader<"tenant">, { credits_id }: InvoiceRow): Promise<InvoiceDocument["credits"]> {
  if (credits_id === null) return null;
  const { number, issued_date } = await invoiceEntity.row(reader, { invoiceId: credits_id });
  return number === null || issued_date === null ? null : { number, issued_on: issued_date };
}
