import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { languages } from "../../../src/core/languages.ts";
import type { InvoiceDocument } from "../../../src/modules/finance/documents/invoice-document.ts";
import { invoicePdf } from "../../../src/modules/finance/documents/invoice-pdf.ts";
import { paymentCode } from "../../../src/modules/finance/documents/payment-code.ts";
import { pdfItems, pdfText } from "../../support/pdf-text.ts";
import { cancellationOf, creditNoteOf, flight, invoiceOf, landing, theory, without } from "./invoices.ts";

const has = (tool: string) => Bun.which(tool) !== null;

async function pdfOf(invoice: InvoiceDocument): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of invoicePdf(invoice)) parts.push(part);
  return Buffer.concat(parts);
}

const textOf = async (invoice: InvoiceDocument) => pdfText(new Uint8Array(await pdfOf(invoice)).buffer);

test("an invoice names seller, buyer, dates, lines, the VAT of each rate, and how to pay", async () => {
  const lines = [flight, { ...landing, vat_rate: 700 }, theory];
  const [text = "", ...others] = await textOf(invoiceOf(lines, { paid_minor: 10_000, note: "Safe landings!" }));
  expect(others).toEqual([]);
  for (const part of [
    "Flugschule Łódź & Söhne GmbH",
    "DE123456789",
    "044 123 45678",
    "Zdzisława Łąka-Østergård",
    "Invoice INV-2026-00001",
    "2026-06-30",
    "2026-07-14",
    "62 min 225.00 / h 19 % 232.50",
    "Date of supply 2026-06-14",
    "3 landings 12.50 7 % 37.50",
    "plus 19 % VAT on 232.50 44.18",
    "plus 7 % VAT on 37.50 2.63",
    "exempt: 490.00 0.00",
    "Exempt from VAT under § 4 Nr. 21 UStG",
    "Total, EUR 806.81",
    "Paid and credited -100.00",
    "Outstanding, EUR 706.81",
    "Please pay 706.81 EUR by 2026-07-14",
    "DE89 3704 0044 0532 0130 00",
    "Safe landings!",
  ])
    expect(text.replaceAll(/\s+/g, " ")).toContain(part);
});

test("each reason of an exemption is its own row of the VAT, and lines say which", async () => {
  const other = { ...theory, vat_reason: "Art. 132", unit_price_minor: 1000 };
  const [text = ""] = await textOf(invoiceOf([flight, theory, other, theory]));
  for (const part of [
    "Theory course 1 piece 490.00 exempt (1) 490.00",
    "Theory course 1 piece 10.00 exempt (2) 10.00",
    "plus 19 % VAT on 232.50 44.18 exempt (1): 980.00 0.00 exempt (2): 10.00 0.00 Total, EUR",
    "(1) Exempt from VAT under § 4 Nr. 21 UStG (2) Exempt from VAT under Art. 132",
  ])
    expect(text.replaceAll(/\s+/g, " ")).toContain(part);
});

test("each category without VAT has its words in both languages, and its own reason beside them", async () => {
  const { vat_category, vat_rate, vat_reason, vat_reason_code, ...item } = theory;
  const categories = ["reverse_charge", "intra_community", "export"] as const;
  const lines = [...categories.map((category) => without(category)), without("reverse_charge", "§ 13b UStG")];
  const invoice = invoiceOf(
    lines.map((vat) => ({ ...item, ...vat })),
    { deliver_to: { street: null, postcode: "5020", city: "Salzburg", country: "AT" } },
  );
  const [english = ""] = await textOf(invoice);
  for (const part of [
    "Delivered to 5020 Salzburg, Austria",
    "reverse charge (1): 490.00 0.00 intra-EU (2): 490.00 0.00 export (3): 490.00 0.00 reverse charge (4): 490.00 0.00",
    "(1) Reverse charge (Steuerschuldnerschaft des Leistungsempfängers)",
    "(2) Exempt from VAT: intra-Community supply (Art. 138 of Directive 2006/112/EC)",
    "(3) Exempt from VAT: export outside the EU (Art. 146 of Directive 2006/112/EC)",
    "(4) Reverse charge (Steuerschuldnerschaft des Leistungsempfängers): § 13b UStG",
  ])
    expect(english.replaceAll(/\s+/g, " ")).toContain(part);
  const [german = ""] = await textOf({ ...invoice, language: "de" });
  for (const part of [
    "Lieferort 5020 Salzburg, Österreich",
    "(1) Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge)",
    "(2) Steuerfreie innergemeinschaftliche Lieferung (Art. 138 MwStSystRL)",
    "(3) Steuerfreie Ausfuhrlieferung (Art. 146 MwStSystRL)",
    "(4) Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge): § 13b UStG",
  ])
    expect(german.replaceAll(/\s+/g, " ")).toContain(part);
});

test("a long invoice repeats the table's head on each page, and no line is lost", async () => {
  const lines = Array.from({ length: 78 }, (_, index) => ({ ...flight, description: `Flight no. ${index}.` }));
  const pages = await textOf(invoiceOf(lines));
  expect(pages).toHaveLength(3);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain("Unit price");
    expect(page).toContain(`Page ${index + 1} of 3`);
  }
  expect(lines.filter(({ description }) => !pages.join("").includes(description))).toEqual([]);
});

test("a credit note names the invoice, and asks for no payment; a void invoice is marked on each page", async () => {
  const [credit = ""] = await textOf(creditNoteOf([flight]));
  expect(credit).toContain("Credit note CN-2026-00001");
  expect(credit).toContain("INV-2026-00001 of 2026-06-30");
  expect(credit).not.toContain("IBAN");
  const pages = await textOf(invoiceOf(Array(60).fill(flight), { void: true }));
  for (const page of pages) expect(page).toContain("VOID");
  expect(pages.join("")).not.toContain("Please pay");
});

test("an invoice that was settled when it was sent asks for no payment", async () => {
  const invoice = invoiceOf([flight]);
  const [page = ""] = await textOf({ ...invoice, paid_minor: invoice.gross_minor });
  expect(page).toContain("Outstanding, EUR");
  expect(page).not.toContain("Please pay");
});

test.each(languages)("no text on a page in %s overlaps the next one, or leaves the page", async (language) => {
  const untaxed = (["exempt", "reverse_charge", "intra_community", "export"] as const).map((category) => ({
    ...{ ...theory, description: "Theorie ".repeat(12) },
    ...without(category, category === "exempt" ? "§ 4 Nr. 21 UStG" : null),
  }));
  const long = { legal_name: "Luftfahrtausbildungsgesellschaft Südhessen Flugschule Überland & Söhne GmbH & Co. KG" };
  const invoice = invoiceOf([flight, { ...landing, quantity: 100_000 }, ...untaxed], { language, paid_minor: 100 });
  const named: InvoiceDocument = {
    ...invoice,
    seller: { ...invoice.seller, ...long, register_number: "HRB 12345, Amtsgericht Offenbach am Main" },
    buyer: {
      ...invoice.buyer,
      company: long.legal_name,
      customer_number: "10042",
      buyer_reference: "04011000-12345-67",
    },
  };
  const short = invoiceOf([flight], { language });
  for (const document of [named, cancellationOf(named), short, creditNoteOf([flight], { language })]) {
    const items = await pdfItems(await pdfOf(document));
    const overlapping = items.flatMap((item) => {
      const after = items.filter(
        (other) => Math.abs(other.y - item.y) < 4 && other.x > item.x && other.x < item.end + 1,
      );
      return [...after.map(({ text }) => `${item.text} over ${text}`), ...(item.end > 546 ? [item.text] : [])];
    });
    expect(overlapping).toEqual([]);
  }
});

test("a currency without a minor unit has no decimal places", async () => {
  const [text = ""] = await textOf(invoiceOf([flight], { currency: "JPY" }));
  expect(text.replaceAll(/\s+/g, " ")).toContain("Total, JPY 27,668");
});

test("the payment code has the lines of EPC069-12, within its limits", () => {
  const invoice = invoiceOf([flight], { paid_minor: 10_000 });
  const { seller } = invoice;
  expect(paymentCode(invoice)?.split("\n")).toEqual([
    ...["BCD", "002", "1", "SCT", "COBADEFFXXX", "Flugschule Łódź & Söhne GmbH", "DE89370400440532013000"],
    ...["EUR176.68", "", "", "INV-2026-00001"],
  ]);
  const longest = paymentCode({
    ...invoice,
    number: `${"X".repeat(20)}-2026-00001`,
    seller: { ...seller, legal_name: `𝄞\n${"𝄞".repeat(200)}`, bic: null },
  });
  expect(longest?.split("\n")[4]).toBe("");
  expect(longest?.split("\n")).toHaveLength(11);
  expect(Buffer.byteLength(longest ?? "")).toBeLessThanOrEqual(331);
  const name = paymentCode({ ...invoice, seller: { ...seller, legal_name: "é".repeat(200) } })?.split("\n")[5];
  expect(name).toBe("é".repeat(70));
});

test("no payment code where a transfer in euros can't pay it", () => {
  const invoice = invoiceOf([flight]);
  const without: Partial<InvoiceDocument>[] = [
    { void: true },
    { currency: "PLN" },
    { paid_minor: invoice.gross_minor },
    { gross_minor: 100_000_000_000 },
    { seller: { ...invoice.seller, iban: null } },
  ];
  expect(without.map((change) => paymentCode({ ...invoice, ...change }))).toEqual(without.map(() => undefined));
  expect(paymentCode(creditNoteOf([flight]))).toBeUndefined();
  expect(paymentCode({ ...invoice, gross_minor: 99_999_999_999 })).toContain("\nEUR999999999.99\n");
});

test.skipIf(!has("pdftoppm") || !has("zbarimg"))("another program reads the payment code from the PDF", async () => {
  const invoice = invoiceOf([flight, landing]);
  const folder = mkdtempSync(join(tmpdir(), "windsock-invoice-"));
  try {
    writeFileSync(join(folder, "invoice.pdf"), await pdfOf(invoice));
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: "pipe" });
    run("pdftoppm", "-r", "120", "-png", "invoice.pdf", "page");
    const lines = run("zbarimg", "--quiet", "--raw", "page-1.png").toString().trimEnd().split("\n");
    expect(lines).toEqual([
      ...["BCD", "002", "1", "SCT", "COBADEFFXXX", "Flugschule Łódź & Söhne GmbH", "DE89370400440532013000"],
      ...["EUR321.30", "", "", "INV-2026-00001"],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
