import type { InvoiceId, InvoiceRow } from "../invoices.tables.ts";
import { type Taxed, totalsOf } from "../vat-of-lines.ts";

interface Total {
  credits_id?: InvoiceId | null;
  gross_minor: number;
}

/** What is given back is a credit note: what credits an invoice, and what has a negative total. */
export const kindOf = ({ credits_id = null, gross_minor }: Total): "invoice" | "credit_note" =>
  credits_id !== null || gross_minor < 0 ? "credit_note" : "invoice";

/** Returns the columns of a draft that follow from its lines: the totals, and the kind. @throws VALIDATION_ERROR too large */
export function draftTotals(draft: Partial<Pick<InvoiceRow, "credits_id">>, lines: readonly Taxed[]) {
  const totals = totalsOf(lines);
  return { ...totals, kind: kindOf({ ...draft, ...totals }) };
}
