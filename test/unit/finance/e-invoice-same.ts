import { expect } from "bun:test";
import { placesOf } from "../../../src/core/currencies.ts";
import {
  type InvoiceDocument,
  isCredit,
  type NationalVat,
} from "../../../src/modules/finance/documents/invoice-document.ts";
import { rounded } from "./e-invoice-rules.ts";
import type { ReadInvoice } from "./read-e-invoice.ts";

const codes: Record<string, string> = {
  ...{ S: "standard", Z: "zero", E: "exempt" },
  ...{ AE: "reverse_charge", K: "intra_community", G: "export", O: "outside_scope" },
};

/** Checks that what was read is the invoice, to the cent. */
export function expectSame(read: ReadInvoice, invoice: InvoiceDocument): void {
  const sign = isCredit(invoice) ? -1 : 1;
  const scale = 10 ** (2 - placesOf(invoice.currency));
  const amount = (minor: number) => BigInt(sign * scale * minor);
  const nationalAmount = ({ currency, vat_minor }: NationalVat) =>
    BigInt(sign * 10 ** (2 - placesOf(currency)) * vat_minor);
  expect(read).toMatchObject({
    type: isCredit(invoice) ? "381" : invoice.kind === "cancellation" ? "384" : "380",
    ...{ number: invoice.number, currency: invoice.currency, taxCurrency: invoice.national?.currency },
    seller: { name: invoice.seller.legal_name },
    buyer: { id: invoice.buyer.customer_number ?? undefined, name: invoice.buyer.company ?? invoice.buyer.name },
    ...(invoice.note !== null && { notes: invoice.note }),
    credits: invoice.preceding.map(({ number }) => number),
    creditedDays: invoice.preceding.map(({ issued_on }) => issued_on),
    totals: {
      net: amount(invoice.net_minor),
      vat: amount(invoice.vat_minor),
      nationalVat: invoice.national ? nationalAmount(invoice.national) : undefined,
      gross: amount(invoice.gross_minor),
      prepaid: invoice.paid_minor === 0 ? undefined : amount(invoice.paid_minor),
    },
  });
  expect(read.lines.map(({ name, net, category = "" }) => ({ name, net, category: codes[category] }))).toEqual(
    invoice.lines.map((line) => ({
      ...{ name: line.description, net: amount(line.net_minor), category: line.vat_category },
    })),
  );
  expect(read.lines.map(({ rate }) => rate)).toEqual(
    invoice.lines.map((line) => (line.vat_category === "outside_scope" ? undefined : BigInt(line.vat_rate))),
  );
  expect(read.deliveredTo?.country).toBe(invoice.deliver_to?.country);
  for (const { quantity = 0n, price = 0n, base, net } of read.lines)
    expect(rounded(quantity * price, base * BigInt(scale)) * BigInt(scale)).toBe(net ?? 0n);
  for (const { category = "", rate, vat } of read.subtotals) {
    const same = invoice.vat.filter((one) => BigInt(one.vat_rate) === rate && one.vat_category === codes[category]);
    expect(vat).toBe(amount(same.reduce((total, one) => total + one.vat_minor, 0)));
  }
}
