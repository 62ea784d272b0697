/** The lines of an invoice, and what follows from them. */
import { eq, sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { newIdAt } from "../../../core/ids.ts";
import { netOf } from "../../../core/money.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import type { ChargeId } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";
import { financeInvoiceLines, type InvoiceId, type LineId } from "../invoices.tables.ts";

export type LineRow = typeof financeInvoiceLines.$inferSelect;

/** The most lines of an invoice, so that its documents are made in a few seconds. */
export const MOST_LINES = 200;

/** A line before it has its amounts and its place. */
export interface DraftLine extends Vat {
  charge_id: ChargeId | null;
  /** The line of an earlier invoice that it credits. */
  credits_line_id: LineId | null;
  description: string;
  on: LegalDate;
  quantity: number;
  unit: LineRow["unit"];
  unit_price_minor: number;
  price_per: number;
}

/** A line with its amounts. One of a draft that is written anew keeps its id. */
export type Priced = DraftLine & Pick<LineRow, "net_minor" | "vat_minor"> & Partial<Pick<LineRow, "id">>;

/** Prices are not negative (EN 16931, BR-27): a negative one becomes a negative quantity. */
export function withNet<L extends DraftLine>(line: L): L & Pick<LineRow, "net_minor"> {
  const { quantity, unit_price_minor: price } = line;
  const signed = price < 0 ? { quantity: -quantity, unit_price_minor: -price } : { quantity, unit_price_minor: price };
  return { ...line, ...signed, net_minor: netOf(signed.quantity, { ...line, ...signed }) };
}

/** Writes the lines of a draft in this order, instead of those that it has. One that it had keeps its id. */
export async function writeLines(tx: Tx<"tenant">, invoice_id: InvoiceId, lines: readonly Priced[]): Promise<void> {
  await tx.delete(financeInvoiceLines).where(eq(financeInvoiceLines.invoice_id, invoice_id));
  for (const [at, line] of lines.entries())
    await insertRow(tx, financeInvoiceLines, {
      ...line,
      id: line.id ?? newIdAt<"line">(tx.now),
      invoice_id,
      position: at + 1,
    });
}

/** Returns the lines of an invoice in their order. */
export const linesOf = (tx: Pick<Tx<"tenant">, "select">, id: InvoiceId): Promise<LineRow[]> =>
  tx
    .select()
    .from(financeInvoiceLines)
    .where(sql`${financeInvoiceLines.invoice_id} = ${id}`)
    .orderBy(financeInvoiceLines.position);
