import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
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
  const [row] = await reader.rows(kind === "invoice" ? ofInvoice : ofCreditNote, { id });
  return row?.[0] ?? null;
}

const latest = (settles: SQLiteColumn) => sql<[LegalDate | null]>`select max(day) from (
  select max(${allocations.on}) filter (where ${allocations.amount_minor} > 0) as day from ${allocations}
  where ${settles} = ${sql.placeholder("id")} group by ${allocations.payment_id}, ${allocations.credit_note_id}
  having sum(${allocations.amount_minor}) > 0
  union all select max(${refunds.refunded_on}) from ${refunds} where ${refunds.credit_note_id} = ${sql.placeholder("id")})`;

const ofInvoice = latest(allocations.invoice_id);
const ofCreditNote = latest(allocations.credit_note_id);
