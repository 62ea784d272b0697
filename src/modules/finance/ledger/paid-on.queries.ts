import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { Reader } from "../../../storage/store.ts";
import type { InvoiceRow } from "../invoices.tables.ts";
import { financeAllocations as allocations, financeRefunds as refunds } from "../payments.tables.ts";

/**
 * Returns the day on which nothing was left of an invoice or a credit note: the latest of what settles it, since a payment may be
 * recorded after later ones. A payment that was taken back does not count.
 */
export async function paidOn(
  reader: Reader<"tenant">,
  { id, kind }: Pick<InvoiceRow, "id" | "kind">,
): Promise<LegalDate | null> {
  const settles = kind === "invoice" ? allocations.invoice_id : allocations.credit_note_id;
  const [row] = await reader.values<[LegalDate | null]>(sql`select max(day) from (
    select max(${allocations.on}) filter (where ${allocations.amount_minor} > 0) as day from ${allocations}
    where ${settles} = ${id} group by ${allocations.payment_id}, ${allocations.credit_note_id}
    having sum(${allocations.amount_minor}) > 0
    union all select max(${refunds.refunded_on}) from ${refunds} where ${refunds.credit_note_id} = ${id})`);
  return row?.[0] ?? null;
}
