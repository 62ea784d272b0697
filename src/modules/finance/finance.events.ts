import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { defineEvent } from "../../events/catalog.ts";
import { publicInvoice } from "./invoices/invoices.shapes.ts";
import { financeInvoices, type InvoiceId } from "./invoices.tables.ts";
import { publicPayment } from "./payments/payments.schemas.ts";
import { financePayments, type PaymentId } from "./payments.tables.ts";

const data = z.strictObject({ payment: publicPayment.schema, invoice: publicInvoice.schema.optional() });

export const paymentReceived = defineEvent("payment.received", { data });

/** Returns SQL for the data: the payment, and the invoice that it was recorded for, as they are in the transaction. */
export function paymentData(id: PaymentId, invoiceId: InvoiceId | null): SQL<z.infer<typeof data>> {
  const payment = sql`(select ${publicPayment.json} from ${financePayments} where ${financePayments.id} = ${id})`;
  if (invoiceId === null) return sql`json_object('payment', json(${payment}))`;
  const invoice = sql`(select ${publicInvoice.json} from ${financeInvoices} where ${financeInvoices.id} = ${invoiceId})`;
  return sql`json_object('payment', json(${payment}), 'invoice', json(${invoice}))`;
}
