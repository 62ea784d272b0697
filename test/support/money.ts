/** Invoices of a school, for tests. */
import { expectStatus, type School } from "./school.ts";

type Money = Pick<School, "owner" | "student">;
interface Invoice {
  id: string;
  gross_minor: number;
}

/** A line by hand. */
export const headset = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1000 };

/** The body of a payment on account, without the person and the method. */
export const onAccount = { invoice_id: null, amount_minor: 700, received_on: null };

/** Drafts an invoice with one line, by default of the student. */
export async function newInvoice(
  { owner, student }: Money,
  { person_id = student.personId, ...line }: { person_id?: string | undefined; unit_price_minor?: number } = {},
): Promise<Invoice> {
  const body = { person_id, lines: [{ ...headset, ...line }] };
  return expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
}

export const sendInvoice = async ({ owner }: Money, { id }: Pick<Invoice, "id">): Promise<Invoice> =>
  expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;

/** Pays an invoice, and sends a credit note for it: the money is to be given back. */
export async function creditAfterPayment(school: Money, { id, gross_minor }: Invoice): Promise<Invoice> {
  const { owner } = school;
  const payment = { invoice_id: id, amount_minor: gross_minor, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", payment));
  const credit = await owner.post(`/finance/invoices/${id}/credit`, { reason: "Not wanted." });
  return sendInvoice(school, expectStatus(201, credit).body.data);
}
