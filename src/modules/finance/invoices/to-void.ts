import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { releaseCharges } from "./claim-charges.ts";
import { invoiceEntity } from "./invoices.queries.ts";

/** Posting: a draft, or an invoice that was cancelled, becomes void, and its charges are open again. */
export const toVoid = (tx: Tx<"tenant">, by: By, id: InvoiceId, reason: string) =>
  changeRow(tx, by, invoiceEntity, {
    id,
    action: "finance_invoice.voided",
    set: { status: "void", voided_at: tx.now, void_reason: reason, changes_on: null, updated_at: tx.now },
    also: () => releaseCharges(tx, by, id, reason),
  });
