/** Postings: which payments and credit notes settle which invoices. */
import { sql } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { updateRow } from "../../../storage/update-row.ts";
import { invoiceEntity } from "../invoices/invoices.queries.ts";
import { financeInvoices, type InvoiceRow } from "../invoices.tables.ts";
import { financeAllocations, financePayments, type PaymentRow } from "../payments.tables.ts";
import { balanceOf, onAccountOf } from "./balance.ts";
import { paidOn } from "./paid-on.queries.ts";

/** What settles an invoice. */
type Source = { payment: PaymentRow } | { creditNote: InvoiceRow };

/** Returns the columns that follow from what is settled, after the row of what settles it is written. */
export async function settled(
  tx: Tx<"tenant">,
  row: InvoiceRow,
  by: Partial<Pick<InvoiceRow, "paid_minor" | "credited_minor">>,
) {
  const date = toLegalDate(await today(tx, tx.now));
  const after = { ...row, ...by };
  const isPaid = balanceOf({ ...after, status: "sent" }) === 0;
  const isOverdue = row.due_on !== null && row.due_on < date;
  return {
    paid_minor: after.paid_minor,
    credited_minor: after.credited_minor,
    status: isPaid ? ("paid" as const) : isOverdue ? ("overdue" as const) : ("sent" as const),
    paid_on: isPaid ? await paidOn(tx, row) : null,
    changes_on: isPaid ? null : (row.changes_on ?? changesOn(row, date)),
  };
}

/** Returns when an invoice that is open again becomes overdue; if it is, today: the job looks at its reminders. */
function changesOn({ due_on }: InvoiceRow, date: LegalDate): LegalDate | null {
  if (due_on === null || due_on < date) return due_on && date;
  return toLegalDate(Temporal.PlainDate.from(due_on).add({ days: 1 }));
}

/** Settles an invoice by a payment or a credit note. @param amount_minor negative: takes it back @returns both, afterwards */
export async function settle<S extends Source>(
  tx: Tx<"tenant">,
  invoice: InvoiceRow,
  source: S,
  { amount_minor, on }: { amount_minor: number; on: LegalDate },
): Promise<{ invoice: InvoiceRow; source: S }> {
  await insertRow(tx, financeAllocations, {
    invoice_id: invoice.id,
    payment_id: "payment" in source ? source.payment.id : null,
    credit_note_id: "creditNote" in source ? source.creditNote.id : null,
    amount_minor,
    on,
    created_at: tx.now,
  });
  const updated_at = tx.now;
  if ("payment" in source) {
    const allocated_minor = source.payment.allocated_minor + amount_minor;
    await updateRow(tx, financePayments, source.payment.id, { allocated_minor, updated_at });
    const paid = await change(
      tx,
      invoice,
      await settled(tx, invoice, { paid_minor: invoice.paid_minor + amount_minor }),
    );
    return { invoice: paid, source: { ...source, payment: { ...source.payment, allocated_minor } } };
  }
  const { creditNote } = source;
  const left = { credited_minor: creditNote.credited_minor - amount_minor };
  const used = await change(tx, creditNote, await settled(tx, creditNote, left));
  const credit = { credited_minor: invoice.credited_minor + amount_minor };
  return {
    invoice: await change(tx, invoice, await settled(tx, invoice, credit)),
    source: { ...source, creditNote: used },
  };
}

export async function change(tx: Tx<"tenant">, row: InvoiceRow, set: Partial<InvoiceRow>): Promise<InvoiceRow> {
  const after = { ...set, updated_at: await invoiceEntity.changeTime(tx) };
  await updateRow(tx, financeInvoices, row.id, after);
  return { ...row, ...after };
}

/** Whose invoices and payments, and in which currency. */
type Whose = Pick<InvoiceRow, "person_id" | "currency">;

/** Returns the person's invoices, or credit notes, with something left, the oldest first. */
const unsettled = (reader: Reader<"tenant">, { person_id, currency }: Whose, kind: InvoiceRow["kind"]) =>
  reader
    .select()
    .from(financeInvoices)
    .where(
      sql`${financeInvoices.person_id} = ${person_id} and +${financeInvoices.status} in ('sent', 'overdue')
        and ${financeInvoices.kind} = ${kind} and ${financeInvoices.currency} = ${currency}`,
    )
    .orderBy(financeInvoices.issued_on, financeInvoices.id);

const firstOf = (rows: readonly InvoiceRow[], comesFirst: (row: InvoiceRow) => boolean): InvoiceRow[] => [
  ...rows.filter(comesFirst),
  ...rows.filter((row) => !comesFirst(row)),
];

/** Settles an invoice by what credit notes have left: first the one that credits it, then the oldest. @returns it afterwards */
export async function settleFromCredit(tx: Tx<"tenant">, row: InvoiceRow, on: LegalDate): Promise<InvoiceRow> {
  let invoice = row;
  const creditNotes = await unsettled(tx, row, "credit_note");
  for (const creditNote of firstOf(creditNotes, ({ credits_id }) => credits_id === row.id)) {
    const amount_minor = Math.min(balanceOf(invoice), -balanceOf(creditNote));
    if (amount_minor > 0) ({ invoice } = await settle(tx, invoice, { creditNote }, { amount_minor, on }));
  }
  return invoice;
}

/** Settles an invoice that is sent by what the person has on account, the oldest first. */
export async function settleFromAccount(tx: Tx<"tenant">, row: InvoiceRow, on: LegalDate): Promise<void> {
  let invoice = await settleFromCredit(tx, row, on);
  const payments = await tx
    .select()
    .from(financePayments)
    .where(
      sql`${financePayments.person_id} = ${row.person_id} and ${financePayments.currency} = ${row.currency}
        and ${financePayments.amount_minor} > ${financePayments.allocated_minor} + ${financePayments.refunded_minor}`,
    )
    .orderBy(financePayments.received_on, financePayments.id);
  for (const payment of payments) {
    const amount_minor = Math.min(balanceOf(invoice), onAccountOf(payment));
    if (amount_minor > 0) ({ invoice } = await settle(tx, invoice, { payment }, { amount_minor, on }));
  }
}

/** Settles invoices by a credit note that is sent: first the one that it credits, then the oldest. */
export async function settleByCreditNote(tx: Tx<"tenant">, row: InvoiceRow, on: LegalDate): Promise<void> {
  let source = { creditNote: row };
  const invoices = await unsettled(tx, row, "invoice");
  for (const invoice of firstOf(invoices, ({ id }) => id === row.credits_id)) {
    const amount_minor = Math.min(balanceOf(invoice), -balanceOf(source.creditNote));
    if (amount_minor > 0) ({ source } = await settle(tx, invoice, source, { amount_minor, on }));
  }
}
