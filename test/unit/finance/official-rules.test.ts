import { expect, test } from "bun:test";
import { vatReasonCodes } from "../../../src/modules/finance/vat-reason-codes.ts";
import { damaged } from "./damaged-e-invoices.ts";
import { brokenRules } from "./e-invoice-rules.ts";
import { readsPdf, ublOf } from "./e-invoice-xml.ts";
import { flight, invoiceOf, theory } from "./invoices.ts";
import { isInstalled, officiallyBroken, officialReasonCodes } from "./official-rules.ts";
import { brokenIn } from "./official-sample.ts";
import { readUbl } from "./read-ubl.ts";

test.skipIf(!isInstalled || !readsPdf)(
  "e-invoices of every kind and every category of VAT break no official rule of EN 16931 and of XRechnung",
  async () => {
    const { documents, broken } = await brokenIn({ rounds: 16, seed: Date.now() });
    expect(broken).toEqual([]);
    expect(documents).toBeGreaterThanOrEqual(16);
  },
  300_000,
);

test.skipIf(!isInstalled)("the codes of reasons are those of the official rules (BR-CL-22)", () => {
  expect([...vatReasonCodes].sort()).toEqual(officialReasonCodes().sort());
});

/** In a currency that is not the seller's. */
const foreign = { currency: "USD", national: { currency: "EUR", vat_minor: 4031, exchange_rate: "0.9123" } };

/** Those of the places of amounts are one here, and those of the syntax are the library's. */
const nameOf = (rule: string) => (rule.startsWith("BR-DEC-") ? "BR-DEC" : rule);
const isOfSyntax = (rule: string) => rule.startsWith("UBL-");

test.skipIf(!isInstalled)(
  "the rules of these tests find in damaged invoices what the official ones find",
  async () => {
    const files = damaged(await ublOf(invoiceOf([flight, theory], foreign)));
    const overlooked = [...(await officiallyBroken(files))].flatMap(([name, rules]) => {
      const own = brokenRules(readUbl(files.get(name) ?? ""), "xrechnung");
      // What is no VAT has no category; the official ones still compute with it.
      if (own.includes("BR-CO-04")) return [];
      return rules.filter((rule) => !isOfSyntax(rule) && !own.includes(nameOf(rule))).map((rule) => `${name}: ${rule}`);
    });
    expect(overlooked).toEqual([]);
  },
  300_000,
);
