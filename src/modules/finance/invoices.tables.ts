/**
 * Tenant database: invoices, credit notes and cancellations. Money is in minor units. Amounts of a credit note are negative, and
 * those of a cancellation are opposite to what it cancels, so sums need no cases.
 */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { Id, PersonId, UserId } from "../../core/ids.ts";
import { languages } from "../../core/languages.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import { stamps } from "../../storage/stamps.ts";
import { people } from "../people/people.tables.ts";
import { type ChargeId, chargeUnits, vat } from "./finance.tables.ts";
import type { Vat } from "./finance.values.ts";

export type InvoiceId = Id<"invoice">;

export type LineId = Id<"line">;

export const invoiceKinds = ["invoice", "credit_note", "cancellation"] as const;

export type InvoiceKind = (typeof invoiceKinds)[number];

export const invoiceStatuses = ["draft", "sent", "paid", "overdue", "void"] as const;

/** Who owes or pays. */
export const thePerson = () =>
  text()
    .$type<PersonId>()
    .notNull()
    .references(() => people.id);

/** The seller on an invoice. */
export interface Seller {
  legal_name: string;
  street: string | null;
  postcode: string | null;
  city: string | null;
  country: string | null;
  email: string | null;
  phone: string | null;
  vat_id: string | null;
  tax_number: string | null;
  register_number: string | null;
  /** The organization's. */
  approval_number: string | null;
  iban: string | null;
  bic: string | null;
}

/** The sums of an invoice's lines by category, rate and reason. */
export interface Subtotal extends Omit<Vat, "vat_rate"> {
  /** As on the wire: a decimal string. */
  vat_rate: string;
  net_minor: number;
  vat_minor: number;
}

/** The buyer on an invoice. */
export interface Buyer {
  name: string;
  company: string | null;
  street: string | null;
  postcode: string | null;
  city: string | null;
  country: string | null;
  email: string | null;
  vat_id: string | null;
  register_number: string | null;
  buyer_reference: string | null;
  customer_number: string | null;
}

/** Where goods are delivered to. */
export interface DeliverTo {
  street: string | null;
  postcode: string | null;
  city: string;
  country: string;
}

/** Sent, and not settled. A literal, because SQLite uses a partial index only for the same condition. */
export const isOpen = sql`status in ('sent', 'overdue')`;

/** Its VAT is stated in the national currency, too. A literal, as `isOpen`. */
export const isForeign = sql`national_currency is not null`;

export const financeInvoices = sqliteTable(
  "finance_invoices",
  {
    id: text().$type<InvoiceId>().primaryKey(),
    kind: text({ enum: invoiceKinds }).notNull(),
    status: text({ enum: invoiceStatuses }).notNull(),
    /** Who owes it. */
    person_id: thePerson(),
    /** The invoice that it credits. */
    credits_id: text()
      .$type<InvoiceId>()
      .references((): AnySQLiteColumn => financeInvoices.id),
    /** The invoice or the credit note that a cancellation cancels. */
    cancels_id: text()
      .$type<InvoiceId>()
      .references((): AnySQLiteColumn => financeInvoices.id),
    currency: text().notNull(),
    note: text(),
    /** Null: as in the settings on the day of sending. */
    payment_days: integer(),
    /** Null: goods go to the buyer's address. */
    deliver_to: text({ mode: "json" }).$type<DeliverTo>(),
    /** From sending on. */
    number: text().unique(),
    issued_on: text().$type<Instant>(),
    /** The day of `issued_on` where the organization is. */
    issued_date: text().$type<LegalDate>(),
    due_on: text().$type<LegalDate>(),
    seller: text({ mode: "json" }).$type<Seller>(),
    buyer: text({ mode: "json" }).$type<Buyer>(),
    /** Of its documents and mails. From sending on. */
    language: text({ enum: languages }),
    net_minor: integer().notNull(),
    vat_minor: integer().notNull(),
    gross_minor: integer().notNull(),
    vat: text({ mode: "json" }).$type<Subtotal[]>().notNull(),
    /** The seller's, in which the VAT is stated too. From sending on; null: the invoice is in it, or has no VAT. */
    national_currency: text(),
    /** Its units for one unit of `currency`. Of a draft: instead of that of the settings. Null once sent: its lines have several. */
    exchange_rate: text(),
    national_vat_minor: integer(),
    /** Payments minus refunds. */
    paid_minor: integer().notNull(),
    /** What credit notes settle of an invoice; of a credit note, what it settles of invoices, negative. */
    credited_minor: integer().notNull(),
    /** What was settled when it was sent, which its documents state. */
    prepaid_minor: integer().notNull().default(0),
    paid_on: text().$type<LegalDate>(),
    voided_at: text().$type<Instant>(),
    void_reason: text(),
    /** How many reminders were sent. */
    reminders: integer().notNull(),
    /** When it becomes overdue, or when its next reminder is due. */
    changes_on: text().$type<LegalDate>(),
    created_by: text().$type<UserId>(),
    ...stamps,
  },
  (table) => [
    // In the order of changes, for `updated_since`.
    index("finance_invoices_updated").on(table.updated_at, table.id),
    index("finance_invoices_issued").on(nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_status").on(table.status, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_person").on(table.person_id, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_kind").on(table.kind, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_credits").on(table.credits_id).where(sql`${table.credits_id} is not null`),
    uniqueIndex("finance_invoices_cancels").on(table.cancels_id),
    index("finance_invoices_national").on(table.issued_date).where(isForeign),
    index("finance_invoices_changes").on(table.changes_on).where(sql`changes_on is not null`),
    index("finance_invoices_open").on(table.person_id, table.currency, table.due_on, table.id).where(isOpen),
    check("finance_invoices_total", sql`gross_minor = net_minor + vat_minor`),
  ],
);

export type InvoiceRow = typeof financeInvoices.$inferSelect;

export const financeInvoiceLines = sqliteTable(
  "finance_invoice_lines",
  {
    id: text().$type<LineId>().primaryKey(),
    invoice_id: text()
      .$type<InvoiceId>()
      .notNull()
      .references(() => financeInvoices.id),
    position: integer().notNull(),
    /** The charge that it invoices. */
    charge_id: text().$type<ChargeId>(),
    /** Of a credit note: the line that it credits. Of a cancellation: the one that it cancels. */
    credits_line_id: text().$type<LineId>(),
    description: text().notNull(),
    on: text().$type<LegalDate>().notNull(),
    /** In hundredths of the unit. */
    quantity: integer().notNull(),
    unit: text({ enum: chargeUnits }).notNull(),
    unit_price_minor: integer().notNull(),
    price_per: integer().notNull(),
    ...vat,
    net_minor: integer().notNull(),
    vat_minor: integer().notNull(),
    /** Its share of the VAT in the national currency, and the rate for it. Null: it has none. */
    exchange_rate: text(),
    national_vat_minor: integer(),
    /** Of a credit of the sale of a package: the hundredths of minutes that it takes back. */
    returned: integer(),
  },
  (table) => [
    index("finance_invoice_lines_invoice").on(table.invoice_id, table.position),
    index("finance_invoice_lines_charge").on(table.charge_id).where(sql`${table.charge_id} is not null`),
    index("finance_invoice_lines_credits").on(table.credits_line_id).where(sql`${table.credits_line_id} is not null`),
  ],
);

/** The last number of each series. */
export const financeNumbers = sqliteTable(
  "finance_numbers",
  { series: text().notNull(), year: integer().notNull(), last: integer().notNull() },
  (table) => [primaryKey({ columns: [table.series, table.year] })],
);
