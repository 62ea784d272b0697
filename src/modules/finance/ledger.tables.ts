/** Tenant database: the journal, whose rows are never changed, and the sums that follow from it. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import { paymentMethods, vatCategories } from "./finance.values.ts";
import { financeInvoices, type InvoiceId, thePerson } from "./invoices.tables.ts";
import { financePayments, financeRefunds, type PaymentId, type RefundId } from "./payments.tables.ts";

/** `YYYY-MM`, in the organization's time zone. */
export type Month = string & { readonly month: unique symbol };

export const accounts = ["receivables", "revenue", "vat", ...paymentMethods] as const;

export type Account = (typeof accounts)[number];

/** What the entries of the ledger are for. */
export const postingKinds = ["invoice", "credit_note", "void", "payment", "refund"] as const;

export type PostingKind = (typeof postingKinds)[number];

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
  (table) => [primaryKey({ columns: [table.month, table.currency] })],
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
