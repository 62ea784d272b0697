/** Money given back: of a payment, which may open its invoices again, and of a credit note. */
import { eq, sql } from "drizzle-orm";
import { authorize, userIdOf } from "../../../core/actor.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { invoiceEntity } from "../invoices/invoices.queries.ts";
import type { Invoice } from "../invoices/invoices.shapes.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { balanceOf, onAccountOf } from "../ledger/balance.ts";
import { post } from "../ledger/post.ts";
import { settle, settled, settleFromCredit } from "../ledger/settle.ts";
import {
  financeAllocations,
  financePayments,
  financeRefunds,
  type PaymentId,
  type PaymentRow,
  type RefundId,
} from "../payments.tables.ts";
import { dayOf } from "./payment-rules.ts";
import { paymentEntity } from "./payments.queries.ts";
import type { NewRefund, Payment } from "./payments.schemas.ts";

const permission = "finance:manage";

/** @throws VALIDATION_ERROR; CONFLICT nothing is left */
function amountOf({ amount_minor }: NewRefund, left: number): number {
  if (left <= 0) throw conflict("nothing_to_refund", "Nothing is left to give back.");
  if (amount_minor !== null && amount_minor > left)
    throw invalid({
      path: "amount_minor",
      code: "too_big",
      params: { max: left },
      message: `Must be at most ${left}.`,
    });
  return amount_minor ?? left;
}

type Refunded = Pick<typeof financeRefunds.$inferInsert, "person_id" | "currency" | "method"> & {
  amount_minor: number;
  payment_id: PaymentId | null;
  credit_note_id: InvoiceId | null;
  /** The day of what is given back. */
  since: LegalDate | null;
};

/** Writes the refund and its entries. @throws VALIDATION_ERROR the day is impossible */
async function writeRefund(
  tx: Tx<"tenant">,
  { actor }: InOrganization,
  { amount_minor, since, ...refund }: Refunded,
  { reason, refunded_on: stated }: NewRefund,
) {
  const on = await dayOf(tx, stated, { path: "refunded_on", earliest: since });
  const id: RefundId = newIdAt(tx.now);
  const by = { created_by: userIdOf(actor), created_at: tx.now };
  await insertRow(tx, financeRefunds, { id, ...refund, amount_minor, reason, refunded_on: on, ...by });
  const { person_id, currency, payment_id, credit_note_id, method } = refund;
  await post(
    tx,
    { posting: "refund", on, person_id, currency, payment_id, invoice_id: credit_note_id, refund_id: id },
    [
      { account: "receivables", amount_minor },
      { account: method, amount_minor: -amount_minor },
    ],
  );
}

/**
 * Gives a payment back, or a part: first what is on account, then what settled invoices, the last one first.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the amount is too large; CONFLICT nothing is left
 */
export async function refundPayment(
  context: InOrganization,
  { paymentId, ...input }: { paymentId: PaymentId } & NewRefund,
): Promise<JsonOf<Payment>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await paymentEntity.row(tx, { paymentId });
    const amount_minor = amountOf(input, row.amount_minor - row.refunded_minor);
    const before = await paymentEntity.read(tx, paymentId);
    const { person_id, currency } = row;
    const about = { person_id, currency, payment_id: paymentId, credit_note_id: null, since: row.received_on };
    await writeRefund(tx, context, { ...about, amount_minor, method: input.method ?? row.method }, input);
    const { refunded_minor } = await takeFromInvoices(tx, row, amount_minor);
    const set = { refunded_minor: refunded_minor + amount_minor, updated_at: tx.now };
    await tx.update(financePayments).set(set).where(eq(financePayments.id, paymentId));
    const after = await paymentEntity.read(tx, paymentId);
    const subject = { kind: paymentEntity.kind, id: paymentId };
    await audit(tx, context, "finance_payment.refunded", { subject, before, after });
    return after;
  });
}

/**
 * Takes back from invoices what a refund needs more than is on account. What credit notes have left settles those anew.
 *
 * @returns the payment afterwards
 */
async function takeFromInvoices(tx: Tx<"tenant">, payment: PaymentRow, amount: number): Promise<PaymentRow> {
  const on = toLegalDate(await today(tx, tx.now));
  let source = { payment };
  let missing = amount - onAccountOf(payment);
  const settles = await tx.values<[InvoiceId, number]>(sql`
    select ${financeAllocations.invoice_id}, sum(${financeAllocations.amount_minor}) as amount from ${financeAllocations}
    where ${financeAllocations.payment_id} = ${payment.id} group by ${financeAllocations.invoice_id}
    having amount > 0 order by max(${financeAllocations.id}) desc`);
  for (const settlement of settles) {
    const invoiceId = settlement[0];
    const amount_minor = Math.min(missing, settlement[1]);
    if (amount_minor <= 0) break;
    const invoice = await invoiceEntity.row(tx, { invoiceId });
    const opened = await settle(tx, invoice, source, { amount_minor: -amount_minor, on });
    await settleFromCredit(tx, opened.invoice, on);
    ({ source } = opened);
    missing -= amount_minor;
  }
  return source.payment;
}

/** Gives back what a credit note has left. @throws NOT_FOUND; VALIDATION_ERROR; CONFLICT it is no credit note, or nothing is left */
export async function refundCreditNote(
  context: InOrganization,
  { invoiceId, ...input }: { invoiceId: InvoiceId } & NewRefund,
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await invoiceEntity.row(tx, { invoiceId });
    if (row.kind !== "credit_note")
      throw conflict("nothing_to_refund", "It is no credit note. Of an invoice, refund the payment.");
    const amount_minor = amountOf(input, -balanceOf(row));
    const { person_id, currency } = row;
    const about = { person_id, currency, payment_id: null, credit_note_id: invoiceId, since: row.issued_date };
    await writeRefund(tx, context, { ...about, amount_minor, method: input.method ?? "bank_transfer" }, input);
    const set = await settled(tx, row, { paid_minor: row.paid_minor - amount_minor });
    const action = "finance_invoice.refunded";
    return changeRow(tx, context, invoiceEntity, { id: invoiceId, action, set: { ...set, updated_at: tx.now } });
  });
}
