/** Postings: the charges of a draft are invoiced from then on, and open again when the draft or the invoice is voided. */
import { sql } from "drizzle-orm";
import type { Tx } from "../../../storage/store.ts";
import { type ChargeId, financeCharges } from "../finance.tables.ts";
import { financeInvoiceLines, type InvoiceId } from "../invoices.tables.ts";

const claimed = sql`update ${financeCharges} set status = 'invoiced', invoice_id = ${sql.placeholder("invoice")},
  updated_at = ${sql.placeholder("now")} where id = ${sql.placeholder("id")} and status = 'open'`;

/** Marks open charges as invoiced. */
export async function claimCharges(tx: Tx<"tenant">, invoice: InvoiceId, ids: readonly ChargeId[]): Promise<void> {
  const rows = ids.map((id) => ({ id, invoice, now: tx.now }));
  const changed = await tx.each(claimed, rows);
  if (changed.some((count) => count !== 1)) throw new Error("A charge that was read as open is not open.");
}

/**
 * Opens the charges of an invoice again. What was taken back meanwhile cancels out with its reversal; a reversal that a
 * credit note stood for is to be credited again.
 */
export async function releaseCharges(tx: Tx<"tenant">, id: InvoiceId): Promise<void> {
  await tx.run(sql`update ${financeCharges} set status = 'open', updated_at = ${tx.now}
    where ${financeCharges.status} = 'offset' and ${financeCharges.reverses_id} in (
      select taken.id from ${financeInvoiceLines} as credit
      join ${financeInvoiceLines} as line on line.id = credit.credits_line_id
      join ${financeCharges} as taken on taken.id = line.charge_id
      where credit.invoice_id = ${id} and taken.status = 'invoiced' and taken.invoice_id = line.invoice_id)`);
  const released = sql`(select id from ${financeCharges} where ${financeCharges.invoice_id} = ${id})`;
  const pairs = await tx.values<[ChargeId, ChargeId]>(sql`
    select taken.id, back.id from ${financeCharges} as taken
    join ${financeCharges} as back on back.reverses_id = taken.id
    where (taken.id in ${released} and (back.status = 'open' or back.invoice_id = ${id}))
      or (back.id in ${released} and taken.status = 'open')`);
  await tx.run(sql`update ${financeCharges} set status = 'open', invoice_id = null, updated_at = ${tx.now}
    where ${financeCharges.invoice_id} = ${id}`);
  for (const pair of pairs)
    await tx.run(sql`update ${financeCharges} set status = 'offset', updated_at = ${tx.now}
      where ${financeCharges.id} in (${pair[0]}, ${pair[1]})`);
}
