/** What an accountant takes over: amounts are decimal strings with the places of their currency. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { fromAndToDays, paging, period } from "../../../http/query.ts";
import { columns } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { field, shape, signedHundredths } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { currency, decimalAmount, quantityOut, vat } from "../finance.fields.ts";
import { chargeUnits } from "../finance.tables.ts";
import { vatCategories } from "../finance.values.ts";
import {
  invoiceKinds,
  invoiceStatuses,
  financeInvoices as invoices,
  financeInvoiceLines as lines,
} from "../invoices.tables.ts";
import { accounts, financeEntries as entries, postingKinds } from "../ledger.tables.ts";

export const ExportQuery = period(z.strictObject({ ...paging, ...fromAndToDays }));
export type ExportQuery = z.infer<typeof ExportQuery>;

const words = (description: string, example: string | null) => z.string().meta({ description, examples: [example] });
const amount = (description: string, example: string) => words(description, example);

/** A posting has one kind, and the refund, payment or invoice that it is for. */
const postingKey = sql`${entries.posting} || ' ' || ifnull(${entries.refund_id},
  iif(${entries.posting} = 'payment', ${entries.payment_id}, ${entries.invoice_id}))`;

export const journalEntry = shape("JournalEntry", {
  entry: field(
    z.int().meta({ description: "Its number. Later entries have greater numbers.", examples: [1] }),
    entries.id,
  ),
  ...columns(entries, {
    on: dateField.meta({ description: "The day of the posting.", examples: ["2026-06-14"] }),
    posting: z.enum(postingKinds).meta({ examples: ["invoice"] }),
  }),
  posting_key: field(
    words(
      "Entries of one posting have the same, and their debits equal their credits.",
      "invoice 01890a5d-ac96-774b-bcce-b302099a8057",
    ),
    postingKey,
  ),
  document_number: field(
    words("Of the invoice, the credit note or the cancellation.", "INV-2026-00001").nullable(),
    invoices.number,
  ),
  ...columns(entries, { account: z.enum(accounts).meta({ examples: ["receivables"] }) }),
  debit: field(amount("Of the account.", "276.68"), decimalAmount(entries.debit_minor, entries.currency)),
  credit: field(amount("Of the account.", "0.00"), decimalAmount(entries.credit_minor, entries.currency)),
  ...columns(entries, {
    currency,
    vat_category: z
      .enum(vatCategories)
      .nullable()
      .meta({ examples: ["standard"] }),
  }),
  vat_rate: field(words("In percent.", "19.00").nullable(), signedHundredths(entries.vat_rate)),
  ...columns(entries, {
    person_id: idOf<"person">(),
    invoice_id: idOf<"invoice">().nullable(),
    payment_id: idOf<"payment">().nullable(),
    refund_id: idOf<"refund">().nullable(),
  }),
  person: field(words("The person's present name.", "Anna Berg"), people.name),
});

const gross = sql`${lines.net_minor} + ${lines.vat_minor}`;
const unitPrice = decimalAmount(lines.unit_price_minor, invoices.currency);

export const invoiceExportLine = shape("InvoiceExportLine", {
  ...columns(invoices, {
    number: z.string().meta({ examples: ["INV-2026-00001"] }),
    kind: z.enum(invoiceKinds).meta({
      description: "The amounts of a credit note are negative, those of a cancellation opposite to what it cancels.",
    }),
    status: z.enum(invoiceStatuses).meta({ examples: ["sent"] }),
  }),
  // Nullable, as in the index, whose order the rows have.
  issued_on: field(instantOut.nullable(), invoices.issued_on),
  ...columns(invoices, {
    issued_date: dateField.meta({ description: "The day of `issued_on` where the organization is." }),
    due_on: dateField.nullable(),
    person_id: idOf<"person">(),
  }),
  ...names(invoices, { person_id: personName }),
  buyer: field(
    words("The company or the person, as on the invoice.", "Anna Berg").nullable(),
    sql`
    ifnull(${invoices.buyer} ->> '$.company', ${invoices.buyer} ->> '$.name')`,
  ),
  buyer_vat_id: field(
    words(
      "As on the invoice: the recapitulative statement names it (Art. 264 of Directive 2006/112/EC).",
      "DE987654321",
    ).nullable(),
    sql`${invoices.buyer} ->> '$.vat_id'`,
  ),
  ...columns(lines, {
    position: z.int().meta({ description: "Of the line on the invoice.", examples: [1] }),
    description: z.string().meta({ examples: ["Flight instruction"] }),
    on: dateField.meta({ description: "The day of the service." }),
  }),
  quantity: quantityOut(lines.quantity, "62.00", "Of the unit."),
  ...columns(lines, {
    unit: z.enum(chargeUnits).meta({ examples: ["minute"] }),
    price_per: z.int().meta({ description: "How many units `unit_price` is for.", examples: [60] }),
  }),
  unit_price: field(amount("Net, for `price_per` units.", "225.00"), unitPrice),
  ...columns(lines, { vat_category: vat.vat_category }),
  vat_rate: field(words("In percent.", "19.00"), signedHundredths(lines.vat_rate)),
  ...columns(lines, { vat_reason: vat.vat_reason, vat_reason_code: vat.vat_reason_code }),
  net: field(amount("Of the line.", "232.50"), decimalAmount(lines.net_minor, invoices.currency)),
  vat: field(amount("Of the line.", "44.18"), decimalAmount(lines.vat_minor, invoices.currency)),
  gross: field(amount("Of the line.", "276.68"), decimalAmount(gross, invoices.currency)),
  ...columns(invoices, { currency }),
  national_vat: field(
    amount("Its share of the VAT in the seller's national currency. Null: the invoice is in it.", "40.31").nullable(),
    sql`iif(${lines.national_vat_minor} is null, null, ${decimalAmount(lines.national_vat_minor, invoices.national_currency)})`,
  ),
  ...columns(invoices, { national_currency: currency.nullable() }),
  ...columns(lines, {
    exchange_rate: z
      .string()
      .nullable()
      .meta({ examples: ["0.9123"] }),
  }),
  ...columns(invoices, { id: idOf<"invoice">() }),
});
