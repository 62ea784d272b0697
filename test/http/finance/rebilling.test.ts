/** A flight that was billed to one person is credited, and billed to another, by one request. */
import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const until = "2099-01-01";

/** A flight of 232.50 net, 276.68 gross, which the student pays. */
async function flown() {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  return { school, flight: await approvedFlight(school) };
}

async function invoiced({ owner, student }: School, sends = true): Promise<Body> {
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, until });
  const { data } = expectStatus(201, drafted).body;
  return sends ? expectStatus(200, await owner.post(`/finance/invoices/${data.id}/send`)).body.data : data;
}

const rebill = ({ owner, instructor }: School, flight: string, body: object = {}) =>
  owner.post(`/finance/flights/${flight}/rebill`, {
    ...{ payer_id: instructor.personId, reason: "The other one pays.", ...body },
  });

const read = async ({ owner }: School, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;

const owed = async ({ owner }: School, { personId }: { personId: string }): Promise<number> =>
  expectStatus(200, await owner.get(`/people/${personId}/account`)).body.data.balances[0].balance_minor;

test("a flight that was sent is credited, and is on the new payer's draft", async () => {
  const { school, flight } = await flown();
  const { owner, student, instructor } = school;
  const invoice = await invoiced(school);
  const paid = { invoice_id: invoice.id, amount_minor: invoice.gross_minor, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", paid));

  const made = expectStatus(201, await rebill(school, flight));
  const { invoice_id, credit_note_ids, ...billing } = made.body.data;
  expect(made.headers.get("location")).toEndWith(`/finance/invoices/${invoice_id}`);
  expect(billing).toMatchObject({ status: "charged", payer_id: instructor.personId, flight_id: flight });
  expect(await read(school, invoice_id)).toMatchObject({
    ...{ status: "draft", kind: "invoice", person_id: instructor.personId, gross_minor: 27_668, credits_id: null },
  });
  expect(credit_note_ids).toHaveLength(1);
  expect(await read(school, credit_note_ids[0])).toMatchObject({
    ...{ status: "draft", kind: "credit_note", person_id: student.personId, credits_id: invoice.id },
    ...{ gross_minor: -27_668, note: "The other one pays.", lines: [{ credits_line_id: invoice.lines[0].id }] },
  });
  for (const id of [...credit_note_ids, invoice_id])
    expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
  expect([await owed(school, student), await owed(school, instructor)]).toEqual([27_668, -27_668]);

  // Back again, with documents that are sent at once.
  const back = expectStatus(201, await rebill(school, flight, { payer_id: null, send: true })).body.data;
  expect(await read(school, back.invoice_id)).toMatchObject({ person_id: student.personId, paid_minor: 0 });
  expect([await owed(school, student), await owed(school, instructor)]).toEqual([0, 0]);
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "It was none." }));
  expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true }));
  expect([await owed(school, student), await owed(school, instructor)]).toEqual([27_668, 0]);
});

test("what was not sent is taken off its draft, and what was credited is not credited again", async () => {
  const { school, flight } = await flown();
  const drafted = await invoiced(school, false);
  const { credit_note_ids, invoice_id } = expectStatus(201, await rebill(school, flight)).body.data;
  expect(credit_note_ids).toEqual([]);
  expect(await read(school, drafted.id)).toMatchObject({ lines: [], gross_minor: 0 });
  const sent = expectStatus(200, await school.owner.post(`/finance/invoices/${invoice_id}/send`)).body.data;
  const part = { reason: "Late.", lines: [{ line_id: sent.lines[0].id, net_minor: 3250 }] };
  expectStatus(201, await school.owner.post(`/finance/invoices/${invoice_id}/credit`, part));
  const again = expectStatus(201, await rebill(school, flight, { payer_id: school.owner.personId })).body.data;
  expect(await read(school, again.credit_note_ids[0])).toMatchObject({ net_minor: -20_000 });
  expect((await read(school, again.invoice_id)).net_minor).toBe(23_250);
});

test("a payer with a package gets no invoice; without a rate the flight is unbilled, and nothing is lost", async () => {
  const { school, flight } = await flown();
  const { owner, instructor } = school;
  const hours = { person_id: instructor.personId, name: "Hours", uses: "aircraft", quantity: "600.00", price_minor: 1 };
  expectStatus(201, await owner.post("/finance/packages", { ...hours, valid_from: "2026-01-01" }));
  expect(expectStatus(201, await rebill(school, flight)).body.data).toMatchObject({
    ...{ invoice_id: null, credit_note_ids: [], status: "charged" },
  });
  expect((await billingOf(school, flight)).payer_id).toBe(instructor.personId);
});

test("only an approved flight is billed again, to a person whom the school has", async () => {
  const { school, flight } = await flown();
  const { owner, student, orgId } = school;
  expectStatus(403, await student.post(`/finance/flights/${flight}/rebill`, { payer_id: null, reason: "Mine." }));
  const unknown = expectStatus(400, await rebill(school, flight, { payer_id: orgId }));
  expect(unknown.body.issues[0].path).toBe("body.payer_id");
  expectStatus(404, await rebill(school, orgId));
  const { id } = await school.submitFlight(student);
  expect(expectStatus(409, await rebill(school, id)).body.error.reason).toBe("wrong_status");
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  expect(expectStatus(409, await rebill(school, flight)).body.error.reason).toBe("wrong_status");
});

test("documents that can't be sent refuse the whole, with the reasons of sending", async () => {
  const { school, flight } = await flown();
  const { owner } = school;
  await invoiced(school);
  const before = await billingOf(school, flight);
  expectStatus(200, await owner.patch("/finance/settings", { vat_id: null, tax_number: null }));
  const refused = expectStatus(409, await rebill(school, flight, { send: true })).body.error;
  expect(refused).toMatchObject({ reason: "seller_incomplete", fields: expect.any(Array) });
  expect(await billingOf(school, flight)).toEqual(before);
});
