import type { InvoiceRow } from "../invoices.tables.ts";
import type { PaymentRow } from "../payments.tables.ts";

/** Returns what is left to pay; of a credit note, negative, what is left to give back. */
export const balanceOf = ({ status, gross_minor, paid_minor, credited_minor }: InvoiceRow): number =>
  status === "draft" || status === "void" ? 0 : gross_minor - paid_minor - credited_minor;

/** Returns what of a payment is on account. */
export const onAccountOf = ({ amount_minor, allocated_minor, refunded_minor }: PaymentRow): number =>
  amount_minor - allocated_minor - refunded_minor;
