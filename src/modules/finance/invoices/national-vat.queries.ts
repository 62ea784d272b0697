import { sql } from "drizzle-orm";
import type { Tx } from "../../../storage/store.ts";
import {
  type InvoiceId,
  financeInvoices as invoices,
  type LineId,
  financeInvoiceLines as lines,
} from "../invoices.tables.ts";

/** An amount of VAT in the currency of the document, and in the national one. */
export interface Stated {
  vat: number;
  national: number;
}

type TenantTx = Pick<Tx<"tenant">, "values">;

/**
 * Returns of credited lines the invoice, and the exchange rate of their VAT in a national currency. A line whose own VAT is zero may
 * have some when it is credited, since the rest of its group has: its rate is that of what the invoice charges.
 */
export async function ratesOfLines(
  reader: TenantTx,
  ids: readonly LineId[],
  national: string,
): Promise<Map<LineId, { invoice: InvoiceId; rate: string }>> {
  const charged = sql`(select own.exchange_rate from ${lines} as own where own.invoice_id = ${invoices.id}
    and own.credits_line_id is null and own.exchange_rate is not null limit 1)`;
  const rows = await reader.values<[LineId, InvoiceId, string | null]>(sql`
    select ${lines.id}, ${invoices.id}, ifnull(${lines.exchange_rate}, ${charged}) from ${lines}
    join ${invoices} on ${invoices.id} = ${lines.invoice_id} and ${invoices.national_currency} = ${national}
    where ${lines.id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.flatMap(([id, invoice, rate]) => (rate === null ? [] : [[id, { invoice, rate }]])));
}

/** Returns the VAT that is left of an invoice: what it charges, less what documents that were sent credit of that. */
export async function statedVatOf(reader: TenantTx, id: InvoiceId): Promise<Stated> {
  const [row] = await reader.values<[number, number]>(sql`
    with own as (select id, vat_minor, national_vat_minor from ${lines}
      where ${lines.invoice_id} = ${id} and ${lines.credits_line_id} is null),
    credits as (select ${lines.vat_minor}, ${lines.national_vat_minor} from ${lines}
      join ${invoices} on ${invoices.id} = ${lines.invoice_id}
      where ${lines.credits_line_id} in (select id from own) and ${invoices.status} not in ('draft', 'void'))
    select ifnull(sum(vat_minor), 0), ifnull(sum(national_vat_minor), 0) from
      (select vat_minor, national_vat_minor from own union all select * from credits)`);
  return { vat: row?.[0] ?? 0, national: row?.[1] ?? 0 };
}
