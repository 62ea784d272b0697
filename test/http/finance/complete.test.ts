/** What the law wants on an invoice is there before it is sent (§ 14 (4) UStG, Art. 226 of Directive 2006/112/EC). */
import { expect, test } from "bun:test";
import type { Answer } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

/** A price, net, whose gross amount with 19 % is 250.00 and 250.01. */
const [SMALL, LARGE] = [21_008, 21_009] as const;

const line = { description: "Headset", quantity: "1.00", unit: "piece" };

async function draft({ owner, student }: School, unit_price_minor: number, vat: object = {}): Promise<Body> {
  const body = { person_id: student.personId, lines: [{ ...line, unit_price_minor, ...vat }] };
  return expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
}

const send = ({ owner }: School, { id }: { id: string }): Promise<Answer> => owner.post(`/finance/invoices/${id}/send`);
const seller = async ({ owner }: School, change: object) =>
  expectStatus(200, await owner.patch("/finance/settings", change));
const buyer = async ({ owner, student }: School, change: object) =>
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, change));
const refusal = (answer: Answer) => {
  const { reason, fields } = expectStatus(409, answer).body.error;
  return [reason, fields];
};

test("an invoice names the seller's address and a number for VAT, however small it is", async () => {
  const school = await newSellingSchool();
  const invoice = await draft(school, 1);
  await seller(school, { street: null, postcode: null, city: null, country: null, vat_id: null });
  const all = ["street", "postcode", "city", "country", "vat_id"].map((field) => `seller.${field}`);
  expect(refusal(await send(school, invoice))).toEqual(["seller_incomplete", all]);
  await seller(school, { street: "Am Flugplatz 1", city: "Egelsbach", country: "DE", tax_number: "044 123" });
  expect(refusal(await send(school, invoice))).toEqual(["seller_incomplete", ["seller.postcode"]]);
  await seller(school, { postcode: "63329" });
  // A number of a register is not required.
  expect(expectStatus(200, await send(school, invoice)).body.data.seller.register_number).toBeNull();
});

test("an invoice above a small amount names the buyer's address, of the customer or the person", async () => {
  const school = await newSellingSchool();
  await buyer(school, { street: null, postcode: null, city: null, country: null });
  const large = await draft(school, LARGE);
  expect(large.gross_minor).toBe(25_001);
  const all = ["street", "postcode", "city", "country"].map((field) => `buyer.${field}`);
  expect(refusal(await send(school, large))).toEqual(["buyer_incomplete", all]);
  const small = await draft(school, SMALL);
  expect(small.gross_minor).toBe(25_000);
  expectStatus(200, await send(school, small));

  const address = { street: "Feldweg 1", city: "Langen" };
  await buyer(school, { ...address, country: "DE" });
  expect(refusal(await send(school, large))).toEqual(["buyer_incomplete", ["buyer.postcode"]]);
  // There are none in the Emirates.
  await buyer(school, { country: "AE" });
  expectStatus(200, await send(school, large));
  await buyer(school, { street: null, city: null, country: null });
  const home = { ...address, postcode: "63225", country: "DE" };
  expectStatus(200, await school.owner.patch(`/people/${school.student.personId}`, home));
  expect(expectStatus(200, await send(school, await draft(school, LARGE))).body.data.buyer).toMatchObject(home);
});

test("small amounts are 250.00 EUR of a seller in Germany, 100.00 EUR elsewhere, and none in other currencies", async () => {
  const school = await newSellingSchool();
  await buyer(school, { street: null, postcode: null, city: null, country: null });
  await seller(school, { country: "AT", vat_id: "ATU12345678" });
  const zero = { vat_category: "zero" };
  expectStatus(200, await send(school, await draft(school, 10_000, zero)));
  expect(refusal(await send(school, await draft(school, 10_001, zero)))[0]).toBe("buyer_incomplete");
  await seller(school, { country: "DE" });
  // A credit, which is not of an invoice.
  expectStatus(200, await send(school, await draft(school, -25_000, zero)));
  expect(refusal(await send(school, await draft(school, -25_001, zero)))[0]).toBe("buyer_incomplete");
  expectStatus(200, await school.owner.patch("", { currency: "CHF" }));
  expect(refusal(await send(school, await draft(school, 1, zero)))[0]).toBe("buyer_incomplete");
});

test("a credit note for an invoice needs no address again: it names the invoice", async () => {
  const school = await newSellingSchool();
  const { id } = expectStatus(200, await send(school, await draft(school, LARGE))).body.data;
  await buyer(school, { street: null, postcode: null, city: null, country: null });
  const credit = await school.owner.post(`/finance/invoices/${id}/credit`, { reason: "Broken." });
  expectStatus(200, await send(school, expectStatus(201, credit).body.data));
});

test("a run leaves what is incomplete a draft without a number, with the fields that it lacks", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  await buyer(school, { street: null, postcode: null, city: null, country: null });
  for (const { personId } of [student, instructor])
    expectStatus(201, await owner.post("/finance/charges", { ...line, person_id: personId, unit_price_minor: LARGE }));
  const body = { until: "2026-12-31", send: true };
  const { invoices } = expectStatus(200, await owner.post("/finance/invoice-runs", body)).body.data;
  const billed = (personId: string) => invoices.find(({ person_id }: Body) => person_id === personId);
  expect(billed(instructor.personId).refusal).toBeNull();
  expect(billed(student.personId).refusal).toMatchObject({
    reason: "buyer_incomplete",
    fields: ["buyer.street", "buyer.postcode", "buyer.city", "buyer.country"],
  });
  const read = async (personId: string) =>
    expectStatus(200, await owner.get(`/finance/invoices/${billed(personId).invoice_id}`)).body.data;
  expect(await read(student.personId)).toMatchObject({ status: "draft", number: null });
  // The draft before took no number.
  expect((await read(instructor.personId)).number).toEndWith("-00001");
});
