import { authorize, userIdOf } from "../../../core/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { requireCustomer } from "../customers/require-customer.ts";
import { paymentData, paymentReceived } from "../finance.events.ts";
import { balanceOf } from "../ledger/balance.ts";
import { post } from "../ledger/post.ts";
import { settle } from "../ledger/settle.ts";
import type { PaymentId, PaymentRow } from "../payments.tables.ts";
import { dayOf, requirePayable } from "./payment-rules.ts";
import { paymentEntity } from "./payments.queries.ts";
import type { NewPayment, Payment } from "./payments.schemas.ts";

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
      id,
      ...whose,
      amount_minor,
      allocated_minor: 0,
      refunded_minor: 0,
      method,
      received_on,
      reference,
      note,
      created_by: userIdOf(context.actor),
      created_at: tx.now,
      updated_at: tx.now,
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
    throw invalid({
      path: "invoice_id",
      code: "impossible",
      message: "Name either the invoice or the person, not both.",
    });
  if (invoice_id !== null) {
    const invoice = await requirePayable(tx, invoice_id);
    return { invoice, whose: { person_id: invoice.person_id, currency: invoice.currency } };
  }
  return { whose: { person_id: await requireCustomer(tx, person_id), currency } };
}
