import { sql } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import type { ChargeId } from "../finance.tables.ts";
import { financeInvoiceLines, financeInvoices, type LineId } from "../invoices.tables.ts";

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
