/** What payments, allocations and refunds must fit. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { findInvoiceRow } from "../invoices/invoices.queries.ts";
import type { InvoiceId, InvoiceRow } from "../invoices.tables.ts";
import { balanceOf } from "../ledger/balance.ts";

/** @throws VALIDATION_ERROR no such invoice; CONFLICT nothing of it can be paid */
export async function requirePayable(tx: Tx<"tenant">, invoiceId: InvoiceId): Promise<InvoiceRow> {
  const invoice = await findInvoiceRow(tx, invoiceId);
  if (invoice === undefined)
    throw invalid({ path: "invoice_id", code: "unknown", message: "There is no such invoice." });
  if (balanceOf(invoice) > 0) return invoice;
  const isDraft = invoice.status === "draft";
  const what = isDraft ? "a draft" : (kindNames[invoice.kind] ?? invoice.status);
  const instead = isDraft ? "Send it first, or record" : "Record";
  throw conflict("invoice_not_payable", `The invoice is ${what}. ${instead} the payment on account of the person.`, {
    kind: invoice.kind,
    status: invoice.status,
  });
}

/** What can't be paid, in words; null: its status says why. */
const kindNames = { invoice: null, credit_note: "a credit note", cancellation: "a cancellation" } as const;

/** No payment of these books is older: an earlier day is a typing error, such as the year 0206. */
const FIRST_DAY = "2000-01-01";

/** Returns a day that is stated, or today. @throws VALIDATION_ERROR it is in the future, or before `earliest` */
export async function dayOf(
  tx: Tx<"tenant">,
  stated: LegalDate | null,
  { path, earliest }: { path: string; earliest?: LegalDate | null },
): Promise<LegalDate> {
  const date = toLegalDate(await today(tx, tx.now));
  if (stated !== null && stated > date)
    throw invalid({ path, code: "impossible", message: "Must not be in the future." });
  const first = earliest ?? FIRST_DAY;
  if (stated !== null && stated < first)
    throw invalid({ path, code: "impossible", message: `Must not be before ${first}.` });
  return stated ?? date;
}
