import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, EXAMPLE_ID, idOf, integer, longText, stampsOut, text } from "../../../http/fields.ts";
import { fromAndToDays, paging, period } from "../../../http/query.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { field, part, type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { currency, method } from "../finance.fields.ts";
import { invoiceNumber } from "../finance.shapes.ts";
import { financeAllocations, financeRefunds, financePayments as table } from "../payments.tables.ts";
import { refundsOf } from "./refunds.shapes.ts";

const amount = integer(1, 1_000_000_000_000);
const stated = {
  method,
  reference: text(140)
    .nullable()
    .meta({ description: "As the bank or the terminal states it.", examples: ["INV-2026-00001"] }),
  note: longText(1000)
    .nullable()
    .meta({ examples: [null] }),
};
const today = "Null: today. Not later.";

export const NewPayment = newOf("NewPayment", {
  invoice_id: idOf<"invoice">()
    .nullable()
    .meta({
      description: "The invoice that it settles. What is more than its balance is on account.",
      examples: [null],
    }),
  person_id: idOf<"person">()
    .nullable()
    .meta({ description: "Instead of an invoice: who pays it on account, a deposit.", examples: [EXAMPLE_ID] }),
  amount_minor: amount.meta({
    description: "In the currency of the invoice, or the organization's.",
    examples: [27_668],
  }),
  ...stated,
  received_on: dateField.nullable().meta({ description: `${today} Not before 2000.`, examples: ["2025-07-02"] }),
});
export type NewPayment = z.infer<typeof NewPayment>;

export const NewAllocation = newOf("NewAllocation", {
  invoice_id: idOf<"invoice">(),
  amount_minor: amount.nullable().meta({ description: "Null: as much as possible.", examples: [null] }),
});
export type NewAllocation = z.infer<typeof NewAllocation>;

export const NewRefund = newOf("NewRefund", {
  amount_minor: amount.nullable().meta({ description: "Null: all that is left.", examples: [null] }),
  method: method.nullable().meta({ description: "Null: as it was paid; of a credit note a bank transfer." }),
  refunded_on: dateField
    .nullable()
    .meta({ description: `${today} Not before the payment or the credit note.`, examples: ["2026-06-14"] }),
  reason: longText(1000).meta({ examples: ["Paid twice."] }),
});
export type NewRefund = z.infer<typeof NewRefund>;

export const PaymentListQuery = period(
  z.strictObject({
    ...paging,
    ...fromAndToDays,
    person_id: idOf<"person">().optional(),
  }),
);

const fields = {
  ...columns(table, {
    id: idOf<"payment">(),
    person_id: idOf<"person">(),
    currency,
    amount_minor: z.int().meta({ examples: [27_668] }),
    allocated_minor: z.int().meta({ description: "What it settles of invoices.", examples: [27_668] }),
    refunded_minor: z.int().meta({ description: "What was given back.", examples: [0] }),
  }),
  on_account_minor: field(
    z.int().meta({ description: "What is left of it.", examples: [0] }),
    sql`${table.amount_minor} - ${table.allocated_minor} - ${table.refunded_minor}`,
  ),
  ...columns(table, {
    method,
    received_on: dateField,
    reference: stated.reference,
  }),
};

/** The data of the event. */
export const publicPayment = shape("PublicPayment", { ...fields, ...columns(table, stampsOut) });

const allocation = part({
  ...columns(financeAllocations, {
    invoice_id: idOf<"invoice">(),
    amount_minor: z.int().meta({ description: "Negative: a refund took it back.", examples: [27_668] }),
    on: dateField,
  }),
  ...names(financeAllocations, { invoice_id: invoiceNumber }),
});

export const payment = shape("Payment", {
  ...fields,
  note: field(z.string().nullable(), table.note),
  allocations: field(
    z.array(allocation.schema),
    sql`(select json_group_array(json(ordered.value)) from (select ${allocation.json} as value from ${financeAllocations}
      where ${financeAllocations.payment_id} = ${table.id} order by ${financeAllocations.id}) as ordered)`,
  ),
  refunds: refundsOf(eq(financeRefunds.payment_id, table.id)),
  ...columns(table, { created_by: idOf<"user">().nullable(), ...stampsOut }),
  ...names(table, { person_id: personName, created_by: accountName }),
});
export type Payment = Resource<typeof payment>;
