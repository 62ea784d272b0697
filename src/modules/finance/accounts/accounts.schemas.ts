import { sql } from "drizzle-orm";
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { dateField, idOf } from "../../../http/fields.ts";
import { byCursor, fromAndToDays, period } from "../../../http/query.ts";
import { alsoPdf, cursorPage } from "../../../http/responses.ts";
import { columns } from "../../../storage/columns.ts";
import { field, part, type Resource, shape } from "../../../storage/shape.ts";
import { currency, method, minor } from "../finance.fields.ts";
import { invoiceStatuses, financeInvoices as invoices } from "../invoices.tables.ts";
import { financeEntries as entries, postingKinds } from "../ledger.tables.ts";
import { financePayments as payments, financeRefunds as refunds } from "../payments.tables.ts";

const balance_minor = minor("Positive: the school owes the person. Negative: the person owes the school.", -7668);

const Balance = z.strictObject({
  currency,
  balance_minor,
  open_invoices_minor: minor("What is left to pay of invoices.", 7668),
  on_account_minor: minor(
    "Paid and not used: deposits and other payments on account, and what credit notes have left. The balance is this minus `open_invoices_minor`.",
    0,
  ),
  open_charges_minor: minor(
    "What is on no invoice that was sent: open charges, with the VAT as on one invoice, and drafts, gross.",
    2000,
  ),
  available_minor: minor("`balance_minor` minus `open_charges_minor`.", -9668),
});

export const openInvoice = part({
  ...columns(invoices, {
    id: idOf<"invoice">(),
    number: z
      .string()
      .nullable()
      .meta({ examples: ["INV-2026-00001"] }),
    status: z.enum(invoiceStatuses).meta({ examples: ["sent"] }),
    issued_date: dateField.nullable(),
    due_on: dateField.nullable(),
    currency,
    gross_minor: minor("The total of the invoice.", 27_668),
  }),
  balance_minor: field(
    minor("What is left to pay.", 7668),
    sql`${invoices.gross_minor} - ${invoices.paid_minor} - ${invoices.credited_minor}`,
  ),
});

export const Account = z
  .strictObject({
    person_id: idOf<"person">(),
    person_name: z.string().meta({ examples: ["Sam Student"] }),
    balances: z.array(Balance).meta({ description: "By currency; always with the organization's." }),
    open_invoices: z
      .array(openInvoice.schema)
      .meta({ description: "Those that are due first, at most 100. The list of invoices has all." }),
  })
  .meta({ id: "PersonAccount" });
export type Account = z.infer<typeof Account>;

export const StatementQuery = period(
  z.strictObject({
    ...byCursor,
    ...fromAndToDays,
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, formats.currency_code)
      .optional()
      .meta({ description: "By default the organization's.", examples: ["EUR"] }),
  }),
);
export type StatementQuery = z.infer<typeof StatementQuery>;

/** An entry of the journal in the account of a person. */
export const statementEntry = shape("StatementEntry", {
  entry: field(z.int().meta({ description: "The number of the entry in the journal.", examples: [1] }), entries.id),
  ...columns(entries, {
    on: dateField.meta({ description: "The day of the posting.", examples: ["2026-06-14"] }),
    posting: z.enum(postingKinds).meta({ description: "What it is for.", examples: ["invoice"] }),
  }),
  document_number: field(
    z
      .string()
      .nullable()
      .meta({ description: "Of the invoice or the credit note.", examples: ["INV-2026-00001"] }),
    invoices.number,
  ),
  method: field(
    method.nullable().meta({ description: "Of the payment or the refund." }),
    sql`ifnull(${refunds.method}, ${payments.method})`,
  ),
  reference: field(
    z
      .string()
      .nullable()
      .meta({ description: "Of the payment.", examples: ["INV-2026-00001 Sam Student"] }),
    payments.reference,
  ),
  ...columns(entries, {
    invoice_id: idOf<"invoice">().nullable(),
    payment_id: idOf<"payment">().nullable(),
    refund_id: idOf<"refund">().nullable(),
    currency,
  }),
  amount_minor: field(
    minor("What it adds to the balance: a payment is positive, an invoice negative.", -27_668),
    sql`${entries.credit_minor} - ${entries.debit_minor}`,
  ),
  // Filled in from the balance before it.
  balance_minor: field(balance_minor.meta({ description: "The balance after it.", examples: [-27_668] }), sql`0`),
});
export type StatementEntry = Resource<typeof statementEntry>;

/** A page of a statement; or all of it as CSV or PDF. `page` is the last field, where `json-page.ts` looks for it. */
export const Statement = alsoPdf(
  z.strictObject({
    currency,
    opening_balance_minor: balance_minor.meta({ description: "The balance before `from`.", examples: [0] }),
    closing_balance_minor: balance_minor.meta({ description: "The balance before `to`.", examples: [-7668] }),
    ...cursorPage(statementEntry.schema).shape,
  }),
);

export const PersonRef = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });
