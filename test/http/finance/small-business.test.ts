/** A small business by § 19 UStG: no VAT, and a tax number instead of a VAT ID. */
import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { brokenRules } from "../../unit/finance/e-invoice-rules.ts";
import { readUbl } from "../../unit/finance/read-ubl.ts";
import { addRate, approvedFlight, billingOf } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const lines = [{ description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1000 }];
const exempt = { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 19 UStG" };

const settings = async ({ owner }: School, change: object, status = 200): Promise<Body> =>
  expectStatus(status, await owner.patch("/finance/settings", change)).body;

async function newDraft({ owner, student }: School, body: object = { lines }): Promise<Body> {
  const invoice = { person_id: student.personId, ...body };
  return expectStatus(201, await owner.post("/finance/invoices", invoice)).body.data;
}

test("a small business charges no VAT: by default, by the rates that it had, and no rate can be stated", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  await addRate(school, { price_minor: 10_000 });
  const unused = await addRate(school, { kind: "program", price_minor: 70_000 });
  expect((await settings(school, { small_business: true })).data).toMatchObject({ small_business: true, ...exempt });

  expect((await newDraft(school)).lines).toMatchObject([{ ...exempt, vat_minor: 0 }]);
  const { charges } = await billingOf(school, await approvedFlight(school));
  expect(charges).toMatchObject([{ kind: "aircraft", ...exempt }]);

  for (const [change, path] of [
    [{ vat_rate: "19.00" }, "body.vat_rate"],
    [{ vat_category: "standard", vat_rate: "19.00", vat_reason: null }, "body.vat_rate"],
    [{ vat_category: "zero", vat_reason: null }, "body.vat_category"],
  ] as const)
    expect((await settings(school, change, 400)).issues).toMatchObject([{ path, code: "impossible" }]);
  const taxed = { vat_category: "standard", vat_rate: "19.00" };
  const { body } = await owner.post("/finance/invoices", {
    person_id: school.student.personId,
    lines: [{ ...lines[0], ...taxed }],
  });
  expect(body.issues).toMatchObject([{ path: "body.vat_rate" }]);
  expect(
    (await owner.post("/finance/charges", { person_id: school.student.personId, ...lines[0], ...taxed })).status,
  ).toBe(400);
  expectStatus(400, await owner.patch(`/finance/rates/${unused}`, { vat_rate: "7.00" }));
  expectStatus(200, await owner.patch(`/finance/rates/${unused}`, { price_minor: 800 }));
  // Other exemptions are possible, and what is exempt by them stays.
  const other = { vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG" };
  expect((await newDraft(school, { lines: [{ ...lines[0], ...other }] })).lines).toMatchObject([other]);

  expect((await settings(school, { small_business: false })).data).toMatchObject({
    vat_rate: "19.00",
    vat_reason: null,
  });
  expect((await newDraft(school)).lines).toMatchObject([{ vat_rate: "19.00" }]);
});

test("a small business sends no invoice with VAT; a run leaves it a draft, and credit notes have the VAT of before", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const before = await newDraft(school);
  expectStatus(200, await owner.post(`/finance/invoices/${before.id}/send`));
  const draft = await newDraft(school);
  const charge = { ...lines[0], vat_category: "standard", vat_rate: "7.00" };
  expectStatus(201, await owner.post("/finance/charges", { person_id: student.personId, ...charge }));
  await settings(school, { small_business: true });
  expectStatus(201, await owner.post("/finance/charges", { person_id: instructor.personId, ...lines[0] }));

  const refused = expectStatus(409, await owner.post(`/finance/invoices/${draft.id}/send`)).body.error;
  expect(refused.reason).toBe("vat_not_allowed");
  const until = school.installation.clock.now().toISOString().slice(0, 10);
  const run = expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true })).body.data.invoices;
  const [sent, kept] = [instructor, student].map(({ personId }) => run.find((one: Body) => one.person_id === personId));
  expect(run).toHaveLength(2);
  expect([sent.refusal, kept.refusal.reason]).toEqual([null, "vat_not_allowed"]);
  for (const [{ invoice_id }, status] of [
    [sent, "sent"],
    [kept, "draft"],
  ] as const)
    expect((await owner.get(`/finance/invoices/${invoice_id}`)).body.data.status).toBe(status);

  const credit = expectStatus(201, await owner.post(`/finance/invoices/${before.id}/credit`, { reason: "Back." })).body
    .data;
  const given = expectStatus(200, await owner.post(`/finance/invoices/${credit.id}/send`)).body.data;
  expect(given).toMatchObject({ net_minor: -1000, vat_minor: -190 });
});

test("the e-invoice of a seller with a tax number only names another number, which it asks for", async () => {
  const school = await newSellingSchool();
  const { owner, orgId, installation } = school;
  await settings(school, { vat_id: null, tax_number: "044 123", small_business: true });
  const { id } = await newDraft(school);
  expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
  const document = (format: string) =>
    installation.call("GET", `/orgs/${orgId}/finance/invoices/${id}/document?format=${format}`, { token: owner.token });

  for (const format of ["xrechnung", "factur-x"]) {
    const { error } = expectStatus(409, await document(format)).body;
    expect(error.reason).toBe("e_invoice_incomplete");
    expect(error.message).toContain("seller.register_number: An e-invoice needs it: set `register_number`");
    expect(error.message).not.toContain("It stays as it was sent");
  }
  await settings(school, { register_number: "HRB 12345" });
  const read = readUbl(expectStatus(200, await document("xrechnung")).text);
  expect(brokenRules(read, "xrechnung")).toEqual([]);
  expect(read).toMatchObject({
    seller: { registration: "HRB 12345", taxNumber: "044 123", vatId: undefined },
    subtotals: [{ category: "E", rate: 0n, vat: 0n }],
    lines: [{ category: "E", rate: 0n }],
  });
  expectStatus(200, await document("factur-x"));
});

test("the number of the organization's approval identifies a seller without another number", async () => {
  const school = await newSellingSchool();
  const { owner, orgId, installation } = school;
  expectStatus(200, await owner.patch("", { approval_number: "DE.DTO.123" }));
  await settings(school, { vat_id: null, tax_number: "044 123" });
  const { id } = await newDraft(school);
  const { seller } = expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
  expect(seller).toMatchObject({ approval_number: "DE.DTO.123", register_number: null });
  const path = `/orgs/${orgId}/finance/invoices/${id}/document?format=factur-x`;
  expectStatus(200, await installation.call("GET", path, { token: owner.token }));
});
