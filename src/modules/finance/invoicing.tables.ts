/**
 * Tenant database: invoices, payments, and the ledger that follows from them. Money is in minor units. Amounts of a credit note
 * are negative, so sums need no cases. Rows of the ledger are never changed.
 */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { Id, PersonId, UserId } from "../../core/ids.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import { stamps } from "../../storage/stamps.ts";
import { people } from "../people/people.tables.ts";
import type { Vat } from "./finance.fields.ts";
import { type ChargeId, chargeUnits, vat, vatCategories } from "./finance.tables.ts";

export type InvoiceId = Id<"invoice">;
export type LineId = Id<"line">;
export type PaymentId = Id<"payment">;
export type RefundId = Id<"refund">;
/** `YYYY-MM`, in the organization's time zone. */
export type Month = string & { readonly month: unique symbol };

export const invoiceKinds = ["invoice", "credit_note"] as const;
export const invoiceStatuses = ["draft", "sent", "paid", "overdue", "void"] as const;
export const paymentMethods = ["bank_transfer", "direct_debit", "card", "cash", "other"] as const;
export const accounts = ["receivables", "revenue", "vat", ...paymentMethods] as const;
export type Account = (typeof accounts)[number];
/** What the entries of the ledger are for. */
export const postingKinds = ["invoice", "credit_note", "void", "payment", "refund"] as const;
export type PostingKind = (typeof postingKinds)[number];

const thePerson = () =>
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
  buyer_reference: string | null;
}

/** Sent, and not settled. A literal, because SQLite uses a partial index only for the same condition. */
export const isOpen = sql`status in ('sent', 'overdue')`;

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
    currency: text().notNull(),
    note: text(),
    /** Null: as in the settings on the day of sending. */
    payment_days: integer(),
    /** From sending on. */
    number: text().unique(),
    issued_on: text().$type<Instant>(),
    /** The day of `issued_on` where the organization is. */
    issued_date: text().$type<LegalDate>(),
    due_on: text().$type<LegalDate>(),
    seller: text({ mode: "json" }).$type<Seller>(),
    buyer: text({ mode: "json" }).$type<Buyer>(),
    net_minor: integer().notNull(),
    vat_minor: integer().notNull(),
    gross_minor: integer().notNull(),
    vat: text({ mode: "json" }).$type<Subtotal[]>().notNull(),
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
    index("finance_invoices_issued").on(nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_status").on(table.status, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_person").on(table.person_id, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_kind").on(table.kind, nullAsEmpty(sql`issued_on`), table.id),
    index("finance_invoices_credits").on(table.credits_id),
    index("finance_invoices_changes").on(table.changes_on).where(sql`changes_on is not null`),
    index("finance_invoices_open").on(table.person_id, table.currency, table.due_on, table.id).where(isOpen),
    check("finance_invoices_total", sql`gross_minor = net_minor + vat_minor`),
  ],
);

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
    /** Of a credit note: the line that it credits. */
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
  },
  (table) => [
    index("finance_invoice_lines_invoice").on(table.invoice_id, table.position),
    index("finance_invoice_lines_charge").on(table.charge_id),
    index("finance_invoice_lines_credits").on(table.credits_line_id),
  ],
);

/** The last number of each series. */
export const financeNumbers = sqliteTable(
  "finance_numbers",
  { series: text().notNull(), year: integer().notNull(), last: integer().notNull() },
  (table) => [primaryKey({ columns: [table.series, table.year] })],
);

export const financePayments = sqliteTable(
  "finance_payments",
  {
    id: text().$type<PaymentId>().primaryKey(),
    person_id: thePerson(),
    currency: text().notNull(),
    amount_minor: integer().notNull(),
    /** What it settles of invoices. What is neither this nor refunded is on account. */
    allocated_minor: integer().notNull(),
    refunded_minor: integer().notNull(),
    method: text({ enum: paymentMethods }).notNull(),
    received_on: text().$type<LegalDate>().notNull(),
    reference: text(),
    note: text(),
    created_by: text().$type<UserId>(),
    ...stamps,
  },
  (table) => [
    index("finance_payments_received").on(table.received_on, table.id),
    index("finance_payments_person").on(table.person_id, table.received_on, table.id),
    check(
      "finance_payments_used",
      sql`allocated_minor >= 0 and refunded_minor >= 0 and allocated_minor + refunded_minor <= amount_minor`,
    ),
  ],
);

/** Which payment or credit note settles which invoice. Negative: a refund took it back. */
export const financeAllocations = sqliteTable(
  "finance_allocations",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    invoice_id: text()
      .$type<InvoiceId>()
      .notNull()
      .references(() => financeInvoices.id),
    payment_id: text()
      .$type<PaymentId>()
      .references(() => financePayments.id),
    credit_note_id: text()
      .$type<InvoiceId>()
      .references(() => financeInvoices.id),
    amount_minor: integer().notNull(),
    on: text().$type<LegalDate>().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("finance_allocations_invoice").on(table.invoice_id),
    index("finance_allocations_payment").on(table.payment_id),
    index("finance_allocations_credit_note").on(table.credit_note_id),
  ],
);

/** Money given back: of a payment, or of a credit note. */
export const financeRefunds = sqliteTable(
  "finance_refunds",
  {
    id: text().$type<RefundId>().primaryKey(),
    person_id: thePerson(),
    payment_id: text()
      .$type<PaymentId>()
      .references(() => financePayments.id),
    credit_note_id: text()
      .$type<InvoiceId>()
      .references(() => financeInvoices.id),
    currency: text().notNull(),
    amount_minor: integer().notNull(),
    method: text({ enum: paymentMethods }).notNull(),
    refunded_on: text().$type<LegalDate>().notNull(),
    reason: text().notNull(),
    created_by: text().$type<UserId>(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("finance_refunds_person").on(table.person_id),
    index("finance_refunds_payment").on(table.payment_id, table.id),
    index("finance_refunds_credit_note").on(table.credit_note_id),
  ],
);

/** The journal: debits and credits of each posting are equal. */
export const financeEntries = sqliteTable(
  "finance_entries",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    on: text().$type<LegalDate>().notNull(),
    posting: text({ enum: postingKinds }).notNull(),
    person_id: thePerson(),
    invoice_id: text()
      .$type<InvoiceId>()
      .references(() => financeInvoices.id),
    payment_id: text()
      .$type<PaymentId>()
      .references(() => financePayments.id),
    refund_id: text()
      .$type<RefundId>()
      .references(() => financeRefunds.id),
    account: text({ enum: accounts }).notNull(),
    vat_category: text({ enum: vatCategories }),
    vat_rate: integer(),
    currency: text().notNull(),
    debit_minor: integer().notNull(),
    credit_minor: integer().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("finance_entries_on").on(table.on, table.id),
    index("finance_entries_person").on(table.person_id, table.account, table.on, table.id),
    index("finance_entries_invoice").on(table.invoice_id),
    index("finance_entries_payment").on(table.payment_id),
    index("finance_entries_refund").on(table.refund_id),
    check(
      "finance_entries_sides",
      sql`debit_minor >= 0 and credit_minor >= 0 and (debit_minor = 0 or credit_minor = 0)`,
    ),
  ],
);

/** Of months with entries since they were last compared with the journal. */
export const isUnchecked = sql`(checked_at is null or checked_at < updated_at)`;

/** The sums of the journal by month and currency. */
export const financeMonths = sqliteTable(
  "finance_months",
  {
    month: text().$type<Month>().notNull(),
    currency: text().notNull(),
    issued_minor: integer().notNull(),
    credited_minor: integer().notNull(),
    voided_minor: integer().notNull(),
    collected_minor: integer().notNull(),
    refunded_minor: integer().notNull(),
    updated_at: text().$type<Instant>().notNull(),
    /** When they were last compared with the journal. */
    checked_at: text().$type<Instant>(),
  },
  (table) => [
    primaryKey({ columns: [table.month, table.currency] }),
    index("finance_months_unchecked").on(table.updated_at).where(isUnchecked),
  ],
);

/** Revenue and VAT of each month by category and rate. */
export const financeVatMonths = sqliteTable(
  "finance_vat_months",
  {
    month: text().$type<Month>().notNull(),
    currency: text().notNull(),
    vat_category: text({ enum: vatCategories }).notNull(),
    vat_rate: integer().notNull(),
    net_minor: integer().notNull(),
    vat_minor: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.currency, table.vat_category, table.vat_rate] })],
);

export const owes = sql`balance_minor > 0`;

/** What each person owes by the journal; negative: money on account. */
export const financeBalances = sqliteTable(
  "finance_balances",
  {
    person_id: thePerson(),
    currency: text().notNull(),
    balance_minor: integer().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.person_id, table.currency] }),
    index("finance_balances_owed").on(table.balance_minor, table.person_id, table.currency).where(owes),
  ],
);
