/** The lines of an invoice, and what follows from them. */
import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { newIdAt } from "../../../core/ids.ts";
import { netOf, sumOf, vatOn } from "../../../core/money.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import type { Vat } from "../finance.fields.ts";
import type { ChargeId } from "../finance.tables.ts";
import { financeInvoiceLines, type InvoiceId, type LineId } from "../invoicing.tables.ts";

export type LineRow = typeof financeInvoiceLines.$inferSelect;

/**
 * The most lines of an invoice. The tax of each line is rounded, and EN 16931 allows that their sum differs from the tax on
 * the sum by less than one unit of the currency: with half a cent for each line, that is 200 lines.
 */
export const MOST_LINES = 200;

/** A line before it has its amounts and its place. */
export interface Draft extends Vat {
  charge_id: ChargeId | null;
  credits_line_id: LineId | null;
  description: string;
  on: LegalDate;
  quantity: number;
  unit: LineRow["unit"];
  unit_price_minor: number;
  price_per: number;
}

interface Amounts {
  net_minor: number;
  vat_minor: number;
}

/** Prices are not negative (EN 16931, BR-27): a negative one becomes a negative quantity. */
export function priced(line: Draft): Draft & Amounts {
  const { quantity, unit_price_minor: price } = line;
  const signed = price < 0 ? { quantity: -quantity, unit_price_minor: -price } : { quantity, unit_price_minor: price };
  const net_minor = netOf(signed.quantity, { ...line, ...signed });
  return { ...line, ...signed, net_minor, vat_minor: vatOn(net_minor, line.vat_rate) };
}

/** Returns the sums of the lines. @throws VALIDATION_ERROR too large */
export function totalsOf(lines: readonly Amounts[]) {
  const net_minor = sumOf(lines.map((line) => line.net_minor));
  const vat_minor = sumOf(lines.map((line) => line.vat_minor));
  return { net_minor, vat_minor, gross_minor: sumOf([net_minor, vat_minor]) };
}

/** Writes lines after those that the invoice has. */
export async function addLines(
  tx: Tx<"tenant">,
  invoice_id: InvoiceId,
  lines: readonly (Draft & Amounts)[],
  after = 0,
): Promise<void> {
  for (const [at, line] of lines.entries())
    await insertRow(tx, financeInvoiceLines, {
      ...line,
      id: newIdAt<"line">(tx.now),
      invoice_id,
      position: after + at + 1,
    });
}

/** Returns the lines of an invoice in their order. */
export const linesOf = (tx: Pick<Tx<"tenant">, "select">, id: InvoiceId): Promise<LineRow[]> =>
  tx
    .select()
    .from(financeInvoiceLines)
    .where(sql`${financeInvoiceLines.invoice_id} = ${id}`)
    .orderBy(financeInvoiceLines.position);
