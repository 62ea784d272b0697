/** The lines of an invoice, and what follows from them. */
import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { newIdAt } from "../../../core/ids.ts";
import { netOf, sumOf, vatOn } from "../../../core/money.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { decimal, type Vat } from "../finance.fields.ts";
import type { ChargeId } from "../finance.tables.ts";
import { financeInvoiceLines, type InvoiceId, type LineId, type Subtotal } from "../invoices.tables.ts";

export type LineRow = typeof financeInvoiceLines.$inferSelect;

/**
 * The most lines of an invoice. The tax of each line is rounded, and EN 16931 allows that their sum differs from the tax on
 * the sum by less than one unit of the currency: with half a cent for each line, 200 lines are one too many.
 */
export const MOST_LINES = 199;

/** A line before it has its amounts and its place. */
export interface DraftLine extends Vat {
  charge_id: ChargeId | null;
  credits_line_id: LineId | null;
  description: string;
  on: LegalDate;
  quantity: number;
  unit: LineRow["unit"];
  unit_price_minor: number;
  price_per: number;
}

type Priced = DraftLine & Pick<LineRow, "net_minor" | "vat_minor">;

/** Prices are not negative (EN 16931, BR-27): a negative one becomes a negative quantity. */
export function priced(line: DraftLine): Priced {
  const { quantity, unit_price_minor: price } = line;
  const signed = price < 0 ? { quantity: -quantity, unit_price_minor: -price } : { quantity, unit_price_minor: price };
  const net_minor = netOf(signed.quantity, { ...line, ...signed });
  return { ...line, ...signed, net_minor, vat_minor: vatOn(net_minor, line.vat_rate) };
}

type Taxed = Pick<LineRow, "net_minor" | "vat_minor" | "vat_category" | "vat_rate" | "vat_reason">;

const sums = (lines: readonly Taxed[]) => ({
  net_minor: sumOf(lines.map((line) => line.net_minor)),
  vat_minor: sumOf(lines.map((line) => line.vat_minor)),
});

/** Returns the sums of the lines, and those by VAT, the highest rate first. @throws VALIDATION_ERROR too large */
export function totalsOf(lines: readonly Taxed[]) {
  const all = sums(lines);
  const byVat = Map.groupBy(lines, ({ vat_category, vat_rate, vat_reason }) =>
    JSON.stringify([vat_category, vat_rate, vat_reason]),
  );
  const highestFirst = [...byVat.values()].sort(([one], [other]) => (other?.vat_rate ?? 0) - (one?.vat_rate ?? 0));
  const vat = highestFirst.flatMap((same): Subtotal[] =>
    same.slice(0, 1).map(({ vat_category, vat_rate, vat_reason }) => ({
      ...{ vat_category, vat_rate: decimal(vat_rate), vat_reason },
      ...sums(same),
    })),
  );
  return { ...all, gross_minor: sumOf([all.net_minor, all.vat_minor]), vat };
}

/** Writes lines after those that the invoice has. */
export async function addLines(
  tx: Tx<"tenant">,
  invoice_id: InvoiceId,
  lines: readonly Priced[],
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
