/** Invoices of a school, for tests. */
import type { SharedInstallation } from "./installation.ts";
import { expectStatus, newSchool, type School } from "./school.ts";

type Money = Pick<School, "owner" | "student">;
interface Invoice {
  id: string;
  gross_minor: number;
}

/** What invoices and e-invoices need of their seller. Its name is that of the organization. */
export const seller = {
  ...{ street: "Am Flugplatz 1", postcode: "63329", city: "Egelsbach", country: "DE" },
  ...{ email: "office@example.com", phone: "+49 6103 1", vat_id: "DE123456789", iban: "DE89370400440532013000" },
};
export const buyer = { street: "Feldweg 1", postcode: "63225", city: "Langen", country: "DE" };

/** Completes the seller of a school, which sends nothing before. */
export const completeSeller = async ({ owner }: Pick<School, "owner">): Promise<void> =>
  void expectStatus(200, await owner.patch("/finance/settings", seller));

/** Gives a person the address of a buyer. */
export const completeBuyer = async ({ owner }: Pick<School, "owner">, personId: string): Promise<void> =>
  void expectStatus(200, await owner.patch(`/finance/customers/${personId}`, buyer));

/** Creates a school that can send invoices to its members. */
export async function newSellingSchool(): Promise<School>;
export async function newSellingSchool<At extends SharedInstallation>(installation: At): Promise<School<At>>;
export async function newSellingSchool(installation?: SharedInstallation): Promise<School> {
  const school = await (installation ? newSchool(installation) : newSchool());
  await completeSeller(school);
  for (const { personId } of [school.owner, school.instructor, school.student]) await completeBuyer(school, personId);
  return school;
}

/** Changes the currency of an organization, with the rate by which its VAT is stated in that of the seller's country. */
export async function useCurrency({ owner }: Pick<School, "owner">, currency: string, rate = "1.05"): Promise<void> {
  expectStatus(200, await owner.patch("", { currency }));
  const exchange_rates = [{ currency, rate, valid_from: "2000-01-01", valid_until: null }];
  expectStatus(200, await owner.patch("/finance/settings", { exchange_rates }));
}

/** A line by hand. */
export const headset = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1000 };

/** The body of a payment on account, without the person and the method. */
export const onAccount = { invoice_id: null, amount_minor: 700, received_on: null };

/** Drafts an invoice with one line, by default of the student, in a school whose seller is complete. */
export async function newInvoice(
  { owner, student }: Money,
  { person_id = student.personId, ...line }: { person_id?: string | undefined; unit_price_minor?: number } = {},
): Promise<Invoice> {
  await completeSeller({ owner });
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
