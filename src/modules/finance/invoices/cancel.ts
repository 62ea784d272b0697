import { sql } from "drizzle-orm";
import { authorize, userIdOf } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import { financeInvoices, type InvoiceId, type InvoiceRow } from "../invoices.tables.ts";
import { post } from "../ledger/post.ts";
import { settingsOf } from "../settings/settings.ts";
import { entriesOf } from "./entries.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { linesOf, writeLines } from "./lines.ts";
import { isCreditedBySent } from "./remainder.queries.ts";
import { nextNumber } from "./send.ts";
import { toVoid } from "./to-void.ts";

/**
 * Cancels what was sent, while nothing of it is settled, by a document of its own (Stornorechnung): it has the next number of the
 * credit notes, names what it cancels, is posted with the opposite amounts, and is sent at once. What it cancels is void, as are
 * the drafts of credit notes for it, and its charges are open again.
 *
 * @returns the cancellation
 * @throws NOT_FOUND; CONFLICT it was not sent, is void or a cancellation, or something was paid or credited
 */
export async function cancelInvoice(
  context: InOrganization,
  { invoiceId, reason }: { invoiceId: InvoiceId; reason: string },
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const row = await invoiceEntity.row(tx, { invoiceId });
    await requireCancellable(tx, row);
    // First: what a draft had reserved of a charge that is open again is not to be credited.
    await toVoid(tx, context, invoiceId, reason);
    for (const { id } of await draftsFor(tx, invoiceId)) await toVoid(tx, context, id, reason);
    const cancellation = await cancellationOf(tx, row, reason);
    const { id, person_id, currency, issued_date: on } = cancellation;
    return addRow(tx, context, invoiceEntity, {
      action: "finance_invoice.cancelled",
      row: { ...cancellation, created_by: userIdOf(context.actor) },
      async also() {
        await writeLines(tx, id, await oppositeLines(tx, invoiceId));
        await post(tx, { posting: "void", on, person_id, currency, invoice_id: id }, entriesOf(cancellation));
        await queueMailTo(tx, person_id, { kind: "invoice", alert: "invoice_sent", subject_id: id });
      },
    });
  });
}

/** @throws CONFLICT */
async function requireCancellable(tx: Tx<"tenant">, row: InvoiceRow): Promise<void> {
  if (row.kind === "cancellation")
    throw conflict("wrong_status", "A cancellation can't be cancelled. Invoice anew.", {
      status: row.status,
    });
  if (row.status === "draft")
    throw conflict("wrong_status", "The invoice is a draft: `void` it.", { status: row.status });
  if (row.status === "void") throw wrongStatus("invoice", row.status);
  const isSettled = row.status === "paid" || row.paid_minor !== 0 || row.credited_minor !== 0;
  if (isSettled || (await isCreditedBySent(tx, row.id)))
    throw conflict("invoice_settled", "Something was paid or credited. Refund it, or write a credit note.");
}

const draftsFor = (tx: Tx<"tenant">, id: InvoiceId): Promise<InvoiceRow[]> =>
  tx
    .select()
    .from(financeInvoices)
    .where(sql`${financeInvoices.credits_id} = ${id} and ${financeInvoices.status} = 'draft'`);

/** Its seller, buyer and language are those of the document that it cancels. Together they owe nothing, so it is settled. */
async function cancellationOf(tx: Tx<"tenant">, row: InvoiceRow, reason: string) {
  const { person_id, currency, seller, buyer, deliver_to, language, vat, national_currency, exchange_rate } = row;
  const { credit_note_series } = await settingsOf(tx);
  const date = await today(tx, tx.now);
  const on = toLegalDate(date);
  const gross_minor = -row.gross_minor;
  return {
    id: newIdAt<"invoice">(tx.now),
    ...({ kind: "cancellation", status: "paid", cancels_id: row.id } as const),
    number: await nextNumber(tx, credit_note_series, date.year),
    person_id,
    currency,
    seller,
    buyer,
    deliver_to,
    language,
    note: reason,
    issued_on: tx.now,
    issued_date: on,
    paid_on: on,
    due_on: null,
    changes_on: null,
    net_minor: opposite(row.net_minor),
    vat_minor: opposite(row.vat_minor),
    gross_minor,
    vat: vat.map((one) => ({ ...one, net_minor: opposite(one.net_minor), vat_minor: opposite(one.vat_minor) })),
    national_currency,
    exchange_rate,
    national_vat_minor: row.national_vat_minor && opposite(row.national_vat_minor),
    paid_minor: 0,
    credited_minor: gross_minor,
    prepaid_minor: gross_minor,
    reminders: 0,
    created_at: tx.now,
    updated_at: tx.now,
  };
}

const oppositeLines = async (tx: Tx<"tenant">, id: InvoiceId) =>
  (await linesOf(tx, id)).map(({ id: credits_line_id, invoice_id: _, position: __, ...line }) => ({
    ...line,
    charge_id: null,
    credits_line_id,
    returned: null,
    quantity: opposite(line.quantity),
    net_minor: opposite(line.net_minor),
    vat_minor: opposite(line.vat_minor),
    national_vat_minor: line.national_vat_minor && opposite(line.national_vat_minor),
  }));

const opposite = (amount: number): number => (amount === 0 ? 0 : -amount);
