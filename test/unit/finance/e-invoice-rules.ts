import { expect } from "bun:test";
import { placesOf } from "../../../src/core/money.ts";
import type { InvoiceDocument } from "../../../src/modules/finance/documents/invoice-document.ts";
import type { ReadInvoice } from "./read-e-invoice.ts";

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const size = (amount: bigint) => (amount < 0n ? -amount : amount);

/** Rounds a fraction to the nearest integer, half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const half = (2n * size(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -half : half;
}

/** Checks the rules of EN 16931 that compute (section 6.4.2), and that prices are not negative. */
export function expectRules({ lines, subtotals, totals, currency }: ReadInvoice): void {
  const one = currency === "JPY" ? 100n : 1n;
  for (const { quantity, price, base, net } of lines) {
    expect(price >= 0n).toBe(true); // BR-27
    expect(rounded(quantity * price, 100n * base * one) * one).toBe(net);
  }
  expect(totals.lines).toBe(sum(lines.map(({ net }) => net))); // BR-CO-10
  expect(totals.net).toBe(totals.lines); // BR-CO-13
  expect(totals.vat).toBe(sum(subtotals.map(({ vat }) => vat))); // BR-CO-14
  expect(totals.gross).toBe(totals.net + totals.vat); // BR-CO-15
  expect(totals.due).toBe(totals.gross - totals.prepaid); // BR-CO-16
  const kind = ({ category, rate }: { category: string; rate: bigint }) => `${category} ${rate}`;
  expect(subtotals.map(kind).sort()).toEqual([...new Set(lines.map(kind))].sort()); // BR-S-1, BR-Z-1, BR-E-1
  for (const subtotal of subtotals) {
    const { category, rate, net, vat, reason } = subtotal;
    expect(vat).toBe(rounded(net * rate, 10_000n * one) * one); // BR-CO-17, BR-S-9
    expect(net).toBe(sum(lines.filter((line) => kind(line) === kind(subtotal)).map((line) => line.net))); // BR-S-8
    if (category !== "S") expect([rate, vat]).toEqual([0n, 0n]); // BR-Z-9, BR-E-9
    expect(reason !== undefined).toBe(category === "E"); // BR-E-10, BR-S-10, BR-Z-10
  }
}

/** Checks that what was read is the invoice, to the cent. */
export function expectSame(read: ReadInvoice, invoice: InvoiceDocument): void {
  const sign = invoice.kind === "credit_note" ? -1 : 1;
  const scale = 10 ** (2 - placesOf(invoice.currency));
  const amount = (minor: number) => BigInt(sign * scale * minor);
  expect(read).toMatchObject({
    type: invoice.kind === "credit_note" ? "381" : "380",
    ...{ number: invoice.number, currency: invoice.currency },
    ...{ seller: invoice.seller.legal_name, buyer: invoice.buyer.company ?? invoice.buyer.name },
    ...(invoice.note !== null && { notes: invoice.note }),
    ...(invoice.credits && { credits: invoice.credits.number }),
    totals: {
      net: amount(invoice.net_minor),
      vat: amount(invoice.vat_minor),
      gross: amount(invoice.gross_minor),
      prepaid: amount(invoice.paid_minor),
    },
  });
  expect(read.lines.map(({ name, net, rate }) => ({ name, net, rate }))).toEqual(
    invoice.lines.map((line) => ({
      ...{ name: line.description, net: amount(line.net_minor), rate: BigInt(line.vat_rate) },
    })),
  );
  for (const { category, rate, vat } of read.subtotals) {
    const codes = { S: "standard", Z: "zero", E: "exempt" } as const;
    const same = invoice.vat.filter(
      (one) => BigInt(one.vat_rate) === rate && one.vat_category === codes[category as keyof typeof codes],
    );
    expect(vat).toBe(amount(same.reduce((total, one) => total + one.vat_minor, 0)));
  }
}
