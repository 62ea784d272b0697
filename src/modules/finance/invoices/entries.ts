import { hundredthsOf } from "../finance.fields.ts";
import type { InvoiceRow } from "../invoices.tables.ts";
import type { Entry } from "../ledger/post.ts";

/** Returns the entries of an invoice: what is owed, and for each category and rate of VAT the revenue and the tax. */
export const entriesOf = ({ gross_minor, vat }: Pick<InvoiceRow, "gross_minor" | "vat">): Entry[] => [
  { account: "receivables", amount_minor: gross_minor },
  ...vat.flatMap(({ vat_category, vat_rate, net_minor, vat_minor }): Entry[] => {
    const rate = { vat_category, vat_rate: hundredthsOf(vat_rate) };
    return [
      { account: "revenue", ...rate, amount_minor: -net_minor },
      { account: "vat", ...rate, amount_minor: -vat_minor },
    ];
  }),
];
