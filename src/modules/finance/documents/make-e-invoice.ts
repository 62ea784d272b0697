/**
 * Makes e-invoices with `@e-invoice-eu/core`. It takes half a second of computing and 200 MB of memory, mostly for the
 * library: only the process for it calls it (`e-invoice.ts`).
 */
import type { Invoice } from "@e-invoice-eu/core";
import type { ErrorObject, ValidateFunction } from "ajv";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import { dateIn } from "../../../core/forms.ts";
import { textsOf } from "../texts/texts.ts";
import { titleOf } from "./draw-head.ts";
import { eInvoiceData } from "./e-invoice-data.ts";
import type { EInvoiceFormat } from "./e-invoice-issues.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { invoicePdf } from "./invoice-pdf.ts";

const names = { xrechnung: "XRECHNUNG-UBL", "factur-x": "Factur-X-EN16931" } as const;

/** The faults are in the error that it throws. */
const silent = { log: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {
  // Standard output is for the invoice.
}

/** To load the library and compile its schema takes longer than to make an invoice. */
const loaded: Partial<Record<EInvoiceFormat, ReturnType<typeof load>>> = {};

/** Its own declaration compares the schema with the type of any data. */
interface CompilesSchemas {
  compile(schema: object): ValidateFunction;
}

async function load(format: EInvoiceFormat) {
  const [{ FormatFactoryService, invoiceSchema }, { Ajv2019 }] = await Promise.all([
    import("@e-invoice-eu/core"),
    import("ajv/dist/2019.js"),
  ]);
  const newService = () => new FormatFactoryService().createFormatService(names[format], silent);
  const schema = structuredClone(invoiceSchema);
  newService().patchSchema(schema);
  const ajv: CompilesSchemas = new Ajv2019({ strict: true, allErrors: true });
  return { newService, isValid: ajv.compile(schema) };
}

/** @throws VALIDATION_ERROR a code is not in the lists of EN 16931: a country or the currency */
export async function makeEInvoice(invoice: InvoiceDocument, format: EInvoiceFormat): Promise<Uint8Array> {
  loaded[format] ??= load(format);
  const { newService, isValid } = await loaded[format];
  const service = newService();
  const data = eInvoiceData(invoice, format);
  if (!isValid(data)) throwIfAny(schemaIssues(isValid.errors ?? []));
  service.fillInvoiceDefaults(data);
  const options = { format: names[format], lang: invoice.language };
  if (format === "xrechnung") return Buffer.from(await service.generate(data, options));
  nameCorrected(data, service as unknown as WritesXml);
  describeIn(invoice, service as unknown as WritesMetadata);
  return Buffer.from(await service.generate(data, { ...options, pdf: await pdfFile(invoice) }));
}

/** What the library does not declare. */
interface WritesXml {
  renderXML(data: object): string;
}

/**
 * Puts number and day of what the invoice corrects where the library looks for them in CII, other than its schema. It also writes the
 * day as an element of another namespace than the standard has (BT-26: `qdt`).
 */
function nameCorrected(data: Invoice, service: WritesXml): void {
  for (const reference of data["ubl:Invoice"]["cac:BillingReference"] ?? []) {
    const { "cbc:ID": number, "cbc:IssueDate": day } = reference["cac:InvoiceDocumentReference"];
    Object.assign(reference, { "cbc:ID": number, "cbc:IssueDate": day?.replaceAll("-", "") });
  }
  const write = service.renderXML.bind(service);
  service.renderXML = (content) =>
    write(content).replaceAll(
      /(<ram:FormattedIssueDateTime>\s*<)udt(:DateTimeString [^>]*>\d+<\/)udt(?=:DateTimeString>)/g,
      "$1qdt$2qdt",
    );
}

/** What the library declares private. */
interface WritesMetadata {
  addMetadata(pdf: Described, xmp: string): void;
}

interface Described {
  setTitle(title: string): void;
  setSubject(subject: string): void;
  setKeywords(words: string[]): void;
}

/**
 * Describes the PDF in the language of the invoice: the library does so in English, and names all of them invoices. It also writes
 * each character of the metadata as one byte, and its mark of UTF-8 as three characters.
 */
function describeIn(invoice: InvoiceDocument, service: WritesMetadata): void {
  const { language, number, issued_on, seller } = invoice;
  const title = `${titleOf(invoice)} ${number}`;
  const issued = textsOf(language).document.issued(title, dateIn(language, issued_on));
  const write = service.addMetadata.bind(service);
  service.addMetadata = (pdf, xmp) => {
    pdf.setTitle(`${seller.legal_name}: ${title}`);
    pdf.setSubject(`${issued} ${seller.legal_name}`);
    pdf.setKeywords([titleOf(invoice), "Factur-X", "ZUGFeRD"]);
    const text = xmp
      .replace("\u00ef\u00bb\u00bf", "\ufeff")
      .replaceAll(`>Invoice ${number} dated ${issued_on} issued by `, `>${issued} `);
    write(pdf, Buffer.from(text).toString("latin1"));
  };
}

async function pdfFile(invoice: InvoiceDocument) {
  const parts: Uint8Array[] = [];
  for await (const part of invoicePdf(invoice)) parts.push(part);
  return { buffer: Buffer.concat(parts), filename: `${invoice.number}.pdf`, mimetype: "application/pdf" };
}

/** Returns what the schema of the library rejects, one issue for a path. */
function schemaIssues(errors: readonly ErrorObject[]): Issue[] {
  const issues = errors.map(
    ({ instancePath, message }): Issue => ({
      path: pathOf(instancePath),
      code: "invalid",
      message: `An e-invoice can't have this value: it ${message ?? "does not fit its schema"}.`,
    }),
  );
  return [...new Map(issues.map((issue) => [issue.path, issue])).values()];
}

/** Returns the path in an `InvoiceDocument` of a place in the library's data. */
function pathOf(place: string): string {
  if (/DocumentCurrencyCode|currencyID/.test(place)) return "currency";
  const party = /Supplier/.test(place) ? "seller" : /Customer/.test(place) ? "buyer" : undefined;
  if (party === undefined) return "";
  return /IdentificationCode/.test(place) ? `${party}.country` : party;
}
