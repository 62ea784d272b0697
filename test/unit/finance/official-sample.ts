/** E-invoices of every kind, for the official rules. */
import fc from "fast-check";
import { eInvoiceFormats, eInvoiceIssues } from "../../../src/modules/finance/documents/e-invoice-issues.ts";
import { facturXOf, ublOf } from "./e-invoice-xml.ts";
import { anyInvoice } from "./invoices.ts";
import { officiallyBroken } from "./official-rules.ts";

/** Makes the e-invoices of random invoices, and returns what is broken: the seed, which invoice, its format and the rule. */
export async function brokenIn({ rounds, seed }: { rounds: number; seed: number }): Promise<string[]> {
  const files = new Map<string, string>();
  for (const [index, invoice] of fc.sample(anyInvoice(40), { numRuns: rounds, seed }).entries())
    for (const format of eInvoiceFormats) {
      if (eInvoiceIssues(invoice, format).length > 0) continue;
      const xml = format === "xrechnung" ? await ublOf(invoice) : (await facturXOf(invoice)).xml;
      files.set(`seed ${seed}, ${index}, ${format}`, xml);
    }
  return [...(await officiallyBroken(files))].flatMap(([name, rules]) => rules.map((rule) => `${name}: ${rule}`));
}
