/** The JSON of an invoice, a credit note or a cancellation: for the school, in a list of the public API, and there with its lines. */
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { languages } from "../../../core/languages.ts";
import { dateField, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, nameField, names } from "../../../storage/names.ts";
import { type Fields, field, json, part, type Resource, type Shape, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { currency, minor, quantityOut, vat } from "../finance.fields.ts";
import { invoiceNumber } from "../finance.shapes.ts";
import { financeInvoiceLines, invoiceKinds, invoiceStatuses, financeInvoices as table } from "../invoices.tables.ts";
import { refundsOf } from "../payments/refunds.shapes.ts";
import { financeAllocations, financeRefunds } from "../payments.tables.ts";
import { day, description, terms, unit } from "./invoices.schemas.ts";

const text = z.string().nullable();
const postal = { street: text, postcode: text, city: text, country: text };
const seller = z
  .strictObject({
    legal_name: text,
    ...postal,
    email: text,
    phone: text,
    vat_id: text,
    tax_number: text,
    iban: text,
    bic: text,
    register_number: text,
    approval_number: text.meta({ description: "The organization's.", examples: ["DE.ATO.123"] }),
  })
  .meta({ id: "InvoiceSeller" });
const buyer = z
  .strictObject({
    name: z.string(),
    company: text,
    ...postal,
    email: text,
    vat_id: text,
    register_number: text,
    buyer_reference: text,
    customer_number: text,
  })
  .meta({ id: "InvoiceBuyer" });
const deliverTo = z.strictObject({ ...postal, city: z.string(), country: z.string() }).meta({ id: "InvoiceDeliverTo" });

/** The documents that one corrects: what it credits or cancels as a whole, and those with lines that its lines credit. */
export const correctedIds = sql`select ${table.credits_id} union select ${table.cancels_id}
  union select credited.invoice_id from ${financeInvoiceLines}
  join ${financeInvoiceLines} as credited on credited.id = ${financeInvoiceLines.credits_line_id}
  where ${financeInvoiceLines.invoice_id} = ${table.id}`;

const corrected = z
  .strictObject({
    id: idOf<"invoice">(),
    number: z.string().meta({ examples: ["INV-2026-00001"] }),
    issued_date: dateField,
  })
  .meta({ id: "CorrectedInvoice" });

const corrects = field(
  z.array(corrected).meta({
    description:
      "What was sent earlier and it corrects, the oldest first: as a whole, or by lines that credit lines of it. An invoice that also takes something back corrects, too.",
  }),
  sql`(select json_group_array(json(ordered.value)) from (
    select json_object('id', corrected.id, 'number', corrected.number, 'issued_date', corrected.issued_date) as value
    from ${table} as corrected where corrected.number is not null and corrected.id in (${correctedIds})
    order by corrected.issued_on, corrected.id) as ordered)`,
);

const lineFields = {
  ...columns(financeInvoiceLines, {
    id: idOf<"line">(),
    charge_id: idOf<"charge">().nullable().meta({ description: "The charge that it invoices." }),
    credits_line_id: idOf<"line">()
      .nullable()
      .meta({
        description: "The line of an earlier document that it credits. Of a cancellation: the one that it cancels.",
        examples: [null],
      }),
  }),
  credits_invoice_id: field(
    idOf<"invoice">()
      .nullable()
      .meta({ description: "The document with that line.", examples: [null] }),
    sql`(select credited.invoice_id from ${financeInvoiceLines} as credited
      where credited.id = ${financeInvoiceLines.credits_line_id})`,
  ),
  ...columns(financeInvoiceLines, {
    description,
    on: day,
  }),
  quantity: quantityOut(financeInvoiceLines.quantity, "62.00", "Of the unit; negative in a credit note."),
  ...columns(financeInvoiceLines, {
    unit,
    unit_price_minor: minor("Net, for `price_per` units.", 22_500),
    price_per: minor("60 for a price of an hour.", 60),
    ...vat,
    net_minor: minor("Rounded once, half away from zero.", 23_250),
    vat_minor: minor(
      "Its share of the VAT of all lines with the same category, rate and reason, which is rounded once.",
      4418,
    ),
  }),
};
const line = part(lineFields);
const namedLine = part({
  ...lineFields,
  credits_invoice_number: nameField(invoiceNumber, lineFields.credits_invoice_id.value),
});

const linesOf = <F extends Fields>(line: Shape<F>) =>
  field(
    z.array(line.schema),
    sql`(select json_group_array(json(ordered.value)) from (select ${line.json} as value from ${financeInvoiceLines}
    where ${financeInvoiceLines.invoice_id} = ${table.id} order by ${financeInvoiceLines.position}) as ordered)`,
  );

const subtotal = z.strictObject({
  vat_category: vat.vat_category,
  vat_rate: vat.vat_rate.out,
  vat_reason: z.string().nullable(),
  vat_reason_code: z.string().nullable(),
  net_minor: z.int().meta({ examples: [23_250] }),
  vat_minor: z.int().meta({ examples: [4418] }),
});
const subtotals = columns(table, {
  vat: z.array(subtotal).meta({
    description:
      "The sums of the lines by category, rate and reason. The VAT of each is rounded once, half away from zero.",
  }),
});

const settlement = part({
  ...columns(financeAllocations, {
    payment_id: idOf<"payment">().nullable(),
    credit_note_id: idOf<"invoice">().nullable(),
    amount_minor: z.int().meta({ description: "Negative: a refund took it back.", examples: [27_668] }),
    on: dateField,
  }),
  ...names(financeAllocations, { credit_note_id: invoiceNumber }),
});

/** What is left to pay; of a credit note, negative, what is left to give back or to settle. */
const balance = sql`case when ${table.status} in ('draft', 'void') then 0
  else ${table.gross_minor} - ${table.paid_minor} - ${table.credited_minor} end`;

const head = {
  ...columns(table, {
    id: idOf<"invoice">(),
    kind: z.enum(invoiceKinds).meta({
      description: "The amounts of a credit note are negative, those of a cancellation opposite to what it cancels.",
      examples: ["invoice"],
    }),
    status: z.enum(invoiceStatuses).meta({
      description: "`paid`: nothing is left to pay. `overdue`: not paid, and the day it was due is over.",
      examples: ["sent"],
    }),
    number: z
      .string()
      .nullable()
      .meta({ description: "Null: a draft.", examples: ["INV-2026-00001"] }),
    person_id: idOf<"person">().meta({ description: "Who owes it." }),
    credits_id: idOf<"invoice">()
      .nullable()
      .meta({ description: "The invoice that it credits.", examples: [null] }),
    cancels_id: idOf<"invoice">()
      .nullable()
      .meta({ description: "Of a cancellation: the invoice or the credit note that it cancels.", examples: [null] }),
  }),
  cancelled_by_id: field(
    idOf<"invoice">()
      .nullable()
      .meta({ description: "The cancellation, if it was sent and is void.", examples: [null] }),
    sql`(select cancellation.id from ${table} as cancellation where cancellation.cancels_id = ${table.id})`,
  ),
  ...columns(table, {
    issued_on: instantOut.nullable().meta({ description: "When it was sent." }),
    issued_date: dateField.nullable().meta({ description: "The day of `issued_on` where the school is." }),
    due_on: dateField.nullable().meta({ description: "Null: a draft, a credit note or a cancellation." }),
    language: z
      .enum(languages)
      .nullable()
      .meta({
        description:
          "Of its documents and mails: the customer's when it was sent, or that of what it corrects. Null: a draft.",
        examples: ["en"],
      }),
    currency,
    net_minor: minor("The sum of the lines.", 23_250),
    vat_minor: minor("The sum of the lines.", 4418),
    gross_minor: minor("Both together.", 27_668),
    national_currency: currency.nullable().meta({
      description:
        "The seller's, in which the VAT is stated, too. Null: a draft, or the invoice is in it, or has no VAT.",
      examples: [null],
    }),
    exchange_rate: z
      .string()
      .nullable()
      .meta({
        description:
          "Units of it for one unit of `currency`. A correction has that of what it corrects; null with a `national_currency`: its lines have several. Of a draft: instead of that of the settings.",
        examples: [null],
      }),
    national_vat_minor: minor("The VAT in `national_currency`.", 4418)
      .nullable()
      .meta({ examples: [null] }),
    paid_minor: minor("Payments minus refunds.", 0),
    credited_minor: minor(
      "What credit notes settle; of a credit note, what it settles, negative; of a cancellation, all.",
      0,
    ),
  }),
  balance_minor: field(
    minor("What is left to pay; of a credit note, what is left to give back, negative.", 27_668),
    balance,
  ),
  ...columns(table, {
    paid_on: dateField
      .nullable()
      .meta({ description: "The latest day of what settles it. Null: something is left to pay." }),
    voided_at: instantOut.nullable(),
  }),
  content_removed_at: field(
    instantOut.nullable().meta({
      description:
        "When the buyer, the texts and the documents were removed, because the person's data was erased. Figures and numbers stay.",
      examples: [null],
    }),
    sql`(select ${people.erased_at} from ${people} where ${people.id} = ${table.person_id})`,
  ),
};

const debtor = part({
  name: field(z.string().meta({ examples: ["Sam Weber"] }), sql`${table.buyer} ->> '$.name'`),
  company: field(text.meta({ examples: ["Berg GmbH"] }), sql`${table.buyer} ->> '$.company'`),
  customer_number: field(text.meta({ examples: ["10042"] }), sql`${table.buyer} ->> '$.customer_number'`),
});

export const publicInvoice = shape("PublicInvoice", {
  ...head,
  buyer: field(
    debtor.schema.nullable().meta({ id: "PublicBuyer", description: "As it was sent. Null: a draft." }),
    json(sql`iif(${table.buyer} is null, null, ${debtor.json})`),
  ),
  ...columns(table, stampsOut),
});

export const publicInvoiceWithLines = shape("PublicInvoiceWithLines", {
  ...publicInvoice.fields,
  ...subtotals,
  corrects,
  line_items: linesOf(line),
});

const stated = {
  ...head,
  ...columns(table, {
    void_reason: z.string().nullable(),
    ...terms,
    deliver_to: deliverTo.nullable().meta({ description: "Where goods are delivered to; null: to the buyer." }),
    reminders: z.int().meta({ description: "How many reminders were sent.", examples: [0] }),
  }),
  seller: field(seller.nullable().meta({ description: "As it was sent." }), json(table.seller)),
  buyer: field(buyer.nullable().meta({ description: "As it was sent." }), json(table.buyer)),
  ...subtotals,
  ...columns(table, { created_by: idOf<"user">().nullable(), ...stampsOut }),
  ...names(table, {
    person_id: personName,
    credits_id: invoiceNumber,
    cancels_id: invoiceNumber,
    created_by: accountName,
  }),
  cancelled_by_number: nameField(invoiceNumber, head.cancelled_by_id.value),
};

/** In a list, where hundreds may have hundreds of lines each. */
export const listedInvoice = shape("ListedInvoice", stated);

export const invoice = shape("Invoice", {
  ...stated,
  corrects,
  lines: linesOf(namedLine),
  settlements: field(
    z.array(settlement.schema).meta({ description: "Which payments and credit notes settle it." }),
    sql`(select json_group_array(json(ordered.value)) from (select ${settlement.json} as value from ${financeAllocations}
      where ${financeAllocations.invoice_id} = ${table.id} order by ${financeAllocations.id}) as ordered)`,
  ),
  refunds: refundsOf(eq(financeRefunds.credit_note_id, table.id)),
});
export type Invoice = Resource<typeof invoice>;
