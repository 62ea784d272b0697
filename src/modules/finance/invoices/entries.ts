import type { Entry } from "../ledger/post.ts";
import type { InvoiceRow } from "./invoices.queries.ts";
import type { LineRow } from "./lines.ts";

/**
 * Returns the entries of an invoice: what is owed, and for each category and rate of VAT the revenue and the tax.
 *
 * @param sign 1 when it is sent, -1 when it is voided
 */
export function entriesOf({ gross_minor }: InvoiceRow, lines: readonly LineRow[], sign: 1 | -1): Entry[] {
  const rates = new Map<string, { revenue: Entry; vat: Entry }>();
  for (const { vat_category, vat_rate, net_minor, vat_minor } of lines) {
    const key = `${vat_category} ${vat_rate}`;
    const { revenue, vat } = rates.get(key) ?? {
      revenue: { account: "revenue", vat_category, vat_rate, amount_minor: 0 } as const,
      vat: { account: "vat", vat_category, vat_rate, amount_minor: 0 } as const,
    };
    rates.set(key, {
      revenue: { ...revenue, amount_minor: revenue.amount_minor - sign * net_minor },
      vat: { ...vat, amount_minor: vat.amount_minor - sign * vat_minor },
    });
  }
  const owed: Entry = { account: "receivables", amount_minor: sign * gross_minor };
  return [owed, ...[...rates.values()].flatMap(({ revenue, vat }) => [revenue, vat])];
}
