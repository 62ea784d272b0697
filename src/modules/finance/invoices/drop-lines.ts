import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { ChargeId } from "../finance.tables.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { draftTotals } from "./draft-totals.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import { linesOf, writeLines } from "./lines.ts";
import { priced } from "./price-lines.ts";

/** Posting: removes the lines of charges from a draft. The caller gives the charges their status. */
export async function dropLines(
  tx: Tx<"tenant">,
  by: By,
  invoiceId: InvoiceId,
  charges: readonly ChargeId[],
): Promise<void> {
  const kept = (await linesOf(tx, invoiceId)).filter(({ charge_id }) => !charge_id || !charges.includes(charge_id));
  const draft = await invoiceEntity.row(tx, { invoiceId });
  const lines = await priced(tx, kept, invoiceId);
  await changeRow(tx, by, invoiceEntity, {
    id: invoiceId,
    action: "finance_invoice.changed",
    set: { ...draftTotals(draft, lines), updated_at: tx.now },
    also: () => writeLines(tx, invoiceId, lines),
  });
}
