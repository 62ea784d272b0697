/** E-invoices of every kind, for the official rules. */
import fc from "fast-check";
import { eInvoiceFormats, eInvoiceIssues } from "../../../src/modules/finance/documents/e-invoice-issues.ts";
import { vatCategories } from "../../../src/modules/finance/finance.values.ts";
import { facturXOf, ublOf } from "./e-invoice-xml.ts";
import { anyInvoice } from "./invoices.ts";
import { officiallyBroken } from "./official-rules.ts";

/** What is checked: of each category of VAT in turn, and mixed. */
const kinds = [...vatCategories.map((category) => anyInvoice(40, [category])), anyInvoice(40)];

/**
 * Makes the e-invoices of random invoices: eight have each category of VAT.
 *
 * @returns how many there are, and what is broken: the seed, which invoice, its format and the rule
 */
export async function brokenIn({ rounds, seed }: { rounds: number; seed: number }) {
  const files = new Map<string, string>();
  const invoices = kinds.flatMap((kind, at) => {
    const numRuns = Math.ceil((rounds - at) / kinds.length);
    return numRuns > 0 ? fc.sample(kind, { numRuns, seed }) : [];
  });
  for (const [index, invoice] of invoices.entries())
    for (const format of eInvoiceFormats) {
      if (eInvoiceIssues(invoice, format).length > 0) continue;
      const xml = format === "xrechnung" ? await ublOf(invoice) : (await facturXOf(invoice)).xml;
      files.set(`seed ${seed}, ${index}, ${format}`, xml);
    }
  const found = [...(await officiallyBroken(files))];
  return { documents: files.size, broken: found.flatMap(([name, rules]) => rules.map((rule) => `${name}: ${rule}`)) };
}
