import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineEvent } from "../../events/catalog.ts";
import { type StoredData, storedData } from "../../events/data-of.ts";
import { publicInvoice } from "./invoices/invoices.shapes.ts";
import { financeInvoices, type InvoiceId } from "./invoices.tables.ts";
import { publicPayment } from "./payments/payments.schemas.ts";
import { financePayments, type PaymentId } from "./payments.tables.ts";

const data = z.strictObject({ payment: publicPayment.schema, invoice: publicInvoice.schema.optional() });
type Data = z.infer<typeof data>;

export const paymentReceived = defineEvent("payment.received", { data });

const payment = sql`(select ${publicPayment.json} from ${financePayments}
  where ${financePayments.id} = ${sql.placeholder("payment")})`;
const invoice = sql`(select ${publicInvoice.json} from ${financeInvoices}
  where ${financeInvoices.id} = ${sql.placeholder("invoice")})`;

const onAccount = storedData<Data>(sql`json_object('payment', json(${payment}))`);
const ofInvoice = storedData<Data>(sql`json_object('payment', json(${payment}), 'invoice', json(${invoice}))`);

/** Returns the payment, and the invoice that it was recorded for. */
export const paymentData = (id: PaymentId, invoiceId: InvoiceId | null): StoredData<Data> =>
  invoiceId === null ? onAccount({ payment: id }) : ofInvoice({ payment: id, invoice: invoiceId });
