import { sql } from "drizzle-orm";
import { sumOf } from "../../../core/money.ts";
import type { Reader } from "../../../storage/store.ts";
import { type ChargeId, financeCharges } from "../finance.tables.ts";
import { financeInvoiceLines, financeInvoices, type InvoiceId, type LineId } from "../invoices.tables.ts";

const isCreditedLine = (line: unknown) => sql`exists (select 1 from ${financeInvoiceLines} as credit
  join ${financeInvoices} on ${financeInvoices.id} = credit.invoice_id
  where credit.credits_line_id = ${line} and ${financeInvoices.status} <> 'void')`;

/** Returns whether a credit note, also a draft, credits the line. */
export async function isLineCredited(reader: Reader<"tenant">, id: LineId): Promise<boolean> {
  const [row] = await reader.values<[number]>(sql`select ${isCreditedLine(id)}`);
  return row?.[0] === 1;
}

/** Returns whether a credit note, also a draft, credits the line of a charge that is invoiced. */
export async function isCredited(reader: Reader<"tenant">, id: ChargeId): Promise<boolean> {
  const lines = await reader.values(sql`select 1 from ${financeInvoiceLines}
    join ${financeInvoices} on ${financeInvoices.id} = ${financeInvoiceLines.invoice_id}
    where ${financeInvoiceLines.charge_id} = ${id} and ${financeInvoices.status} <> 'void'
      and ${isCreditedLine(financeInvoiceLines.id)}`);
  return lines.length > 0;
}

/**
 * Returns what credits an invoice, gross and positive: the credit notes for it that were sent, and its lines whose charges were
 * taken back by reversals that are on other documents, also drafts, or on none yet.
 *
 * @param note a draft of a credit note for it, whose reversals do not count
 */
export async function creditedOf(reader: Reader<"tenant">, id: InvoiceId, note: InvoiceId): Promise<number> {
  const isHere = sql`${financeInvoices.credits_id} = ${id}`;
  const isSent = sql`${isHere} and ${financeInvoices.status} in ('sent', 'paid')`;
  const [row] = await reader.values<[byNotes: number, byReversals: number]>(sql`select
    (select ifnull(sum(-${financeInvoices.gross_minor}), 0) from ${financeInvoices}
      where ${isSent}),
    (select ifnull(sum(${financeInvoiceLines.net_minor} + ${financeInvoiceLines.vat_minor}), 0) from ${financeInvoiceLines}
      join ${financeCharges} on ${financeCharges.reverses_id} = ${financeInvoiceLines.charge_id}
      where ${financeInvoiceLines.invoice_id} = ${id} and ${financeCharges.status} in ('open', 'invoiced')
        and not exists (select 1 from ${financeInvoices}
          where ${financeInvoices.id} = ${financeCharges.invoice_id}
            and (${financeInvoices.id} = ${note} or ${isSent})))`);
  return sumOf(row ?? []);
}
