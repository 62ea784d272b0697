/** The lines for charges. Those of reversals credit the lines that their charges are on. */
import { sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../storage/store.ts";
import { vatIn } from "../finance.fields.ts";
import { type ChargeId, type ChargeRow, financeCharges } from "../finance.tables.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { creditOf } from "./credit-line.ts";
import type { DraftLine } from "./lines.ts";
import { lineOfCharge, readRemainder } from "./remainder.queries.ts";
import { type Remainder, remainsOf, reserve } from "./remainder.ts";

const lineFor = ({
  id,
  description,
  on,
  quantity,
  unit,
  unit_price_minor,
  price_per,
  ...charge
}: ChargeRow): DraftLine => ({
  charge_id: id,
  credits_line_id: null,
  description,
  on,
  quantity,
  unit,
  unit_price_minor,
  price_per,
  ...vatIn(charge),
});

/**
 * Returns the lines for open charges, and the reversals for which nothing is left to credit: older versions have raised such,
 * for what credit notes by hand had given back.
 *
 * @param remainders of invoices of which other lines of the same document take a part
 */
export async function linesFor(
  reader: Reader<"tenant">,
  charges: readonly ChargeRow[],
  remainders = new Map<InvoiceId, Remainder>(),
): Promise<{ lines: DraftLine[]; nothing: ChargeId[] }> {
  const reversals = charges.filter(({ reverses_id }) => reverses_id !== null).map(({ id }) => id);
  const lines: DraftLine[] = [];
  const nothing: ChargeId[] = [];
  for (const charge of charges) {
    const credited = charge.reverses_id === null ? undefined : await lineOfCharge(reader, charge.reverses_id);
    if (credited === undefined) {
      lines.push(lineFor(charge));
      continue;
    }
    const { invoice_id } = credited;
    const remainder = remainders.get(invoice_id) ?? (await readRemainder(reader, invoice_id, { reversals }));
    remainders.set(invoice_id, remainder);
    const remains = remainsOf(remainder, credited.id);
    const net = remains > 0 ? Math.min(-charge.net_minor, remains) : remains;
    if (net === 0) {
      nothing.push(charge.id);
      continue;
    }
    reserve(remainder, credited.id, net);
    const whole = { ...lineFor(charge), credits_line_id: credited.id };
    lines.push(net === -charge.net_minor ? whole : { ...whole, ...creditOf(credited, net), charge_id: charge.id });
  }
  return { lines, nothing };
}

/** Posting: returns the lines for open charges that a draft takes. Reversals that have nothing to credit are `offset`. */
export async function takeLines(
  tx: Tx<"tenant">,
  charges: readonly ChargeRow[],
  remainders?: Map<InvoiceId, Remainder>,
): Promise<DraftLine[]> {
  const { lines, nothing } = await linesFor(tx, charges, remainders);
  for (const id of nothing)
    await tx.run(
      sql`update ${financeCharges} set status = 'offset', updated_at = ${tx.now} where ${financeCharges.id} = ${id}`,
    );
  return lines;
}
