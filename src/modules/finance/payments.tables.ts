/** Tenant database: payments and refunds, and which of them settle which invoices. */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { Id, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { paymentMethods } from "./finance.values.ts";
import { financeInvoices, type InvoiceId, thePerson } from "./invoices.tables.ts";

export type PaymentId = Id<"payment">;

export type RefundId = Id<"refund">;

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

export type PaymentRow = typeof financePayments.$inferSelect;

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
    index("finance_allocations_payment").on(table.payment_id).where(sql`${table.payment_id} is not null`),
    index("finance_allocations_credit_note").on(table.credit_note_id).where(sql`${table.credit_note_id} is not null`),
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
    index("finance_refunds_payment").on(table.payment_id, table.id).where(sql`${table.payment_id} is not null`),
    index("finance_refunds_credit_note").on(table.credit_note_id).where(sql`${table.credit_note_id} is not null`),
  ],
);
