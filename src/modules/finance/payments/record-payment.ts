import { authorize, userIdOf } from "../../../core/actor.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization, TenantContext } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { currencyOf } from "../../fleet/master-data.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { paymentData, paymentReceived } from "../finance.events.ts";
import { invoiceEntity } from "../invoices/invoices.queries.ts";
import type { InvoiceId, InvoiceRow } from "../invoices.tables.ts";
import { balanceOf, onAccountOf } from "../ledger/balance.ts";
import { post } from "../ledger/post.ts";
import { settle } from "../ledger/settle.ts";
import type { PaymentId, PaymentRow } from "../payments.tables.ts";
import { paymentEntity } from "./payments.queries.ts";
import type { NewAllocation, NewPayment, Payment } from "./payments.schemas.ts";

const permission = "finance:manage";

/**
 * Records a payment of an invoice, also in part, or on account of a person.
 *
 * @throws VALIDATION_ERROR; CONFLICT the invoice is a draft, void or paid
 */
export async function recordPayment(context: TenantContext, input: NewPayment): Promise<JsonOf<Payment>> {
  authorize(context.actor, permission);
  const currency = await currencyOf(context);
  return context.tenant.write(async (tx) => {
    const { invoice_id, amount_minor, method, reference, note } = input;
    const { invoice, whose } = await payerOf(tx, input, currency);
    const received_on = await dayOf(tx, input.received_on, { path: "received_on" });
    const id: PaymentId = newIdAt(tx.now);
    const row: PaymentRow = {
      ...{ id, ...whose, amount_minor, allocated_minor: 0, refunded_minor: 0, method, received_on, reference, note },
      ...{ created_by: userIdOf(context.actor), created_at: tx.now, updated_at: tx.now },
    };
    const recorded = await addRow(tx, context, paymentEntity, {
      action: "finance_payment.recorded",
      row,
      async also() {
        await post(tx, { posting: "payment", on: received_on, ...whose, payment_id: id, invoice_id }, [
          { account: method, amount_minor },
          { account: "receivables", amount_minor: -amount_minor },
        ]);
        if (invoice === undefined) return;
        const settles = Math.min(amount_minor, balanceOf(invoice));
        await settle(tx, invoice, { payment: row }, { amount_minor: settles, on: received_on });
      },
    });
    await emit(tx, paymentReceived, paymentData(id, invoice_id));
    return recorded;
  });
}

/** Returns the invoice, and whose payment it is. @throws VALIDATION_ERROR; CONFLICT */
async function payerOf(tx: Tx<"tenant">, { invoice_id, person_id }: NewPayment, currency: string) {
  if ((invoice_id === null) === (person_id === null))
    throw invalid({ path: "invoice_id", code: "impossible", message: "Name the invoice or the person." });
  if (invoice_id !== null) {
    const invoice = await payable(tx, invoice_id);
    return { invoice, whose: { person_id: invoice.person_id, currency: invoice.currency } };
  }
  if (person_id === null || !(await findPersonRow(tx, person_id)))
    throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
  return { whose: { person_id, currency } };
}

/** @throws VALIDATION_ERROR no such invoice; CONFLICT nothing of it can be paid */
async function payable(tx: Tx<"tenant">, invoiceId: InvoiceId): Promise<InvoiceRow> {
  const invoice = await invoiceEntity.row(tx, { invoiceId }).catch(() => undefined);
  if (invoice === undefined)
    throw invalid({ path: "invoice_id", code: "unknown", message: "There is no such invoice." });
  if (invoice.kind === "invoice" && balanceOf(invoice) > 0) return invoice;
  const what = invoice.kind === "credit_note" ? "a credit note" : invoice.status;
  throw conflict("invoice_not_payable", `The invoice is ${what}. Record the payment on account of the person.`);
}

/** Returns a day that is stated, or today. @throws VALIDATION_ERROR it is in the future, or before `earliest` */
export async function dayOf(
  tx: Tx<"tenant">,
  stated: LegalDate | null,
  { path, earliest }: { path: string; earliest?: LegalDate | null },
): Promise<LegalDate> {
  const date = toLegalDate(await today(tx, tx.now));
  if (stated !== null && stated > date)
    throw invalid({ path, code: "impossible", message: "Must not be in the future." });
  if (stated !== null && earliest && stated < earliest)
    throw invalid({ path, code: "impossible", message: `Must not be before ${earliest}.` });
  return stated ?? date;
}

/**
 * Settles an invoice by what a payment has on account.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the invoice is another person's, or the amount is too large; CONFLICT
 */
export async function allocatePayment(
  context: InOrganization,
  { paymentId, invoice_id, amount_minor }: { paymentId: PaymentId } & NewAllocation,
): Promise<JsonOf<Payment>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const payment = await paymentEntity.row(tx, { paymentId });
    const before = await paymentEntity.read(tx, paymentId);
    const invoice = await payable(tx, invoice_id);
    if (invoice.person_id !== payment.person_id || invoice.currency !== payment.currency)
      throw invalid({
        path: "invoice_id",
        code: "impossible",
        message: "It is another person's, or in another currency.",
      });
    const most = Math.min(onAccountOf(payment), balanceOf(invoice));
    if (most === 0) throw conflict("nothing_on_account", "Nothing of the payment is on account.");
    if (amount_minor !== null && amount_minor > most)
      throw invalid({ path: "amount_minor", code: "too_big", message: `Must be at most ${most}.` });
    const on = toLegalDate(await today(tx, tx.now));
    await settle(tx, invoice, { payment }, { amount_minor: amount_minor ?? most, on });
    const after = await paymentEntity.read(tx, paymentId);
    const subject = { kind: paymentEntity.kind, id: paymentId };
    await audit(tx, context, "finance_payment.allocated", { subject, before, after });
    return after;
  });
}
