import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { today } from "../../../storage/today.ts";
import { balanceOf, onAccountOf } from "../ledger/balance.ts";
import { settle } from "../ledger/settle.ts";
import type { PaymentId } from "../payments.tables.ts";
import { requirePayable } from "./payment-rules.ts";
import { paymentEntity } from "./payments.queries.ts";
import type { NewAllocation, Payment } from "./payments.schemas.ts";

/**
 * Settles an invoice by what a payment has on account.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the invoice is another person's, or the amount is too large; CONFLICT
 */
export async function allocatePayment(
  context: InOrganization,
  { paymentId, invoice_id, amount_minor }: { paymentId: PaymentId } & NewAllocation,
): Promise<JsonOf<Payment>> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const payment = await paymentEntity.row(tx, { paymentId });
    const before = await paymentEntity.read(tx, paymentId);
    const invoice = await requirePayable(tx, invoice_id);
    if (invoice.person_id !== payment.person_id || invoice.currency !== payment.currency)
      throw invalid({
        path: "invoice_id",
        code: "impossible",
        message: "It is another person's, or in another currency.",
      });
    const most = Math.min(onAccountOf(payment), balanceOf(invoice));
    if (most === 0) throw conflict("nothing_on_account", "Nothing of the payment is on account.");
    if (amount_minor !== null && amount_minor > most)
      throw invalid({
        path: "amount_minor",
        code: "too_big",
        params: { max: most },
        message: `Must be at most ${most}.`,
      });
    const on = toLegalDate(await today(tx, tx.now));
    await settle(tx, invoice, { payment }, { amount_minor: amount_minor ?? most, on });
    const after = await paymentEntity.read(tx, paymentId);
    const subject = { kind: paymentEntity.kind, id: paymentId };
    await audit(tx, context, "finance_payment.allocated", { subject, before, after });
    return after;
  });
}
