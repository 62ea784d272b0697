/** Credit notes, reversals, voids and refunds in any order: nobody pays twice, and nobody is credited twice. */
import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const headset = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 10_000 };

async function addCharge({ owner, student }: School, charge: object = {}): Promise<Body> {
  const body = { person_id: student.personId, ...headset, ...charge };
  return expectStatus(201, await owner.post("/finance/charges", body)).body.data;
}

const draft = async ({ owner, student }: School, body: object = {}): Promise<Body> =>
  expectStatus(
    201,
    await owner.post("/finance/invoices", { person_id: student.personId, until: "2099-01-01", ...body }),
  ).body.data;

const act = async ({ owner }: School, id: string, action: string, body?: object): Promise<Body> =>
  expectStatus(
    ["credit", "cancel"].includes(action) ? 201 : 200,
    await owner.post(`/finance/invoices/${id}/${action}`, body),
  ).body.data;

const refused = async ({ owner }: School, path: string, body: object): Promise<string> =>
  expectStatus(409, await owner.post(path, body)).body.error.reason;

const read = async ({ owner }: School, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;

const pay = async ({ owner }: School, invoice_id: string, amount_minor: number): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/payments", { invoice_id, amount_minor, method: "direct_debit" })).body
    .data;

const reverse = async ({ owner }: School, id: string): Promise<Body> =>
  expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, { reason: "Wrong." }));

const statuses = async ({ owner }: School): Promise<string[]> =>
  expectStatus(200, await owner.get("/finance/charges"))
    .body.data.map((one: Body) => one.status)
    .sort();

/** The draft of a credit note for an invoice, of which a charge was reversed. */
async function creditedReversal() {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  await reverse(school, charge.id);
  return { school, id, credit: await act(school, id, "credit", { reason: "Wrong." }) };
}

test("a reversal that a credit note stood for is to be credited again once the credit note is void", async () => {
  for (const sends of [false, true]) {
    const school = await newSellingSchool();
    const charge = await addCharge(school);
    const { id } = await draft(school);
    await act(school, id, "send");
    await pay(school, id, 11_900);
    const credit = await act(school, id, "credit", { reason: "Broken." });
    if (sends) await act(school, credit.id, "send");
    await reverse(school, charge.id);
    await act(school, credit.id, sends ? "cancel" : "void", { reason: "A mistake." });
    expect(await statuses(school)).toEqual(["invoiced", "offset", "open"]);
    const again = await act(school, id, "credit", { reason: "Broken." });
    expect(again.gross_minor).toBe(-11_900);
    expect(await statuses(school)).toEqual(["invoiced", "invoiced", "offset"]);
  }
});

test("a charge that was reversed while a credit note was drafted is not invoiced again after a void", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  const credit = await act(school, id, "credit", { reason: "Broken." });
  await reverse(school, charge.id);
  await act(school, id, "cancel", { reason: "Wrong." });
  expect(await statuses(school)).toEqual(["offset", "offset"]);
  expect((await read(school, credit.id)).status).toBe("void");
});

test("an invoice that a credit note credits is not cancelled besides", async () => {
  const school = await newSellingSchool();
  const { id } = await draft(school, { lines: [headset] });
  await act(school, id, "send");
  const payment = await pay(school, id, 11_900);
  const other = await draft(school, { lines: [headset] });
  await act(school, other.id, "send");
  const credit = await act(school, id, "credit", { reason: "Broken." });
  expect(await act(school, credit.id, "send")).toMatchObject({ status: "paid" });
  expectStatus(200, await school.owner.post(`/finance/payments/${payment.id}/refund`, { reason: "It bounced." }));
  expect(await read(school, id)).toMatchObject({ status: "sent", paid_minor: 0, credited_minor: 0 });
  expect(await refused(school, `/finance/invoices/${id}/cancel`, { reason: "Wrong." })).toBe("invoice_settled");
});

test("a payment that bounces leaves its invoice to the credit note that waits", async () => {
  const school = await newSellingSchool();
  const { id } = await draft(school, { lines: [headset] });
  await act(school, id, "send");
  const payment = await pay(school, id, 11_900);
  const credit = await act(school, id, "credit", { reason: "Broken." });
  expect(await act(school, credit.id, "send")).toMatchObject({ status: "sent", balance_minor: -11_900 });
  expectStatus(200, await school.owner.post(`/finance/payments/${payment.id}/refund`, { reason: "It bounced." }));
  expect(await read(school, id)).toMatchObject({
    status: "paid",
    balance_minor: 0,
    paid_minor: 0,
    credited_minor: 11_900,
  });
  expect(await read(school, credit.id)).toMatchObject({ status: "paid", balance_minor: 0 });
});

test("a charge is named once", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const body = { person_id: school.student.personId, until: null, charge_ids: [charge.id, charge.id] };
  const twice = expectStatus(400, await school.owner.post("/finance/invoices", body)).body;
  expect(twice.issues[0].path).toContain("charge_ids.1");
});

test("a charge in the organization's former currency is invoiced in that", async () => {
  const school = await newSellingSchool();
  const { owner, student, orgId } = school;
  const charge = await addCharge(school);
  expectStatus(200, await owner.call("PATCH", `/orgs/${orgId}`, { body: { currency: "CHF" } }));
  const other = await addCharge(school);
  const body = { person_id: student.personId, until: null };
  const mixed = await owner.post("/finance/invoices", { ...body, charge_ids: [charge.id, other.id] });
  expect(expectStatus(400, mixed).body.issues[0].path).toContain("charge_ids.1");
  const until = school.installation.clock.now().toISOString().slice(0, 10);
  const { invoices } = expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data;
  expect(invoices.map((one: { currency: string }) => one.currency)).toEqual(["CHF", "EUR"]);
  const made = await draft(school, { until: null, charge_ids: [charge.id] });
  expect(made).toMatchObject({ currency: "EUR", gross_minor: 11_900 });
  expect(await act(school, made.id, "send")).toMatchObject({ currency: "EUR", balance_minor: 11_900 });
  expect(await draft(school)).toMatchObject({ currency: "CHF", lines: [{ charge_id: other.id }] });
});

test("an amount by hand that would make sums inexact is refused, and lists of invoices have no lines", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const much = { description: "Jet", quantity: "6.00", unit: "piece", unit_price_minor: 1_000_000_000 };
  const charged = await owner.post("/finance/charges", { person_id: student.personId, ...much });
  expect(expectStatus(400, charged).body.issues[0].path).toBe("body.quantity");
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, lines: [much] });
  expect(expectStatus(400, drafted).body.issues[0].path).toBe("body.lines.0.quantity");
  const less = { person_id: student.personId, lines: [{ ...much, quantity: "5.00" }] };
  expectStatus(201, await owner.post("/finance/invoices", less));
  const [listed] = expectStatus(200, await owner.get("/finance/invoices")).body.data;
  expect([listed.net_minor, "lines" in listed]).toEqual([5_000_000_000, false]);
});

test("a payment is not of the future, and settles no other person's invoice", async () => {
  const school = await newSellingSchool();
  const { owner, instructor } = school;
  const cash = { person_id: instructor.personId, amount_minor: 700, method: "cash" };
  const future = await owner.post("/finance/payments", { ...cash, received_on: "2099-01-01" });
  expect(expectStatus(400, future).body.issues[0].path).toBe("body.received_on");
  const { id } = expectStatus(201, await owner.post("/finance/payments", cash)).body.data;
  await addCharge(school);
  const invoice = await draft(school);
  await act(school, invoice.id, "send");
  const others = await owner.post(`/finance/payments/${id}/allocate`, { invoice_id: invoice.id });
  expect(expectStatus(400, others).body.issues[0].path).toBe("body.invoice_id");
});

test("a document states what was on account when the invoice was sent", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const seller = {
    legal_name: "Windy Hill",
    country: "DE",
    vat_id: "DE123456789",
    postcode: "63329",
    city: "Egelsbach",
  };
  const reached = { email: "office@example.com", phone: "+49 6103 1", iban: "DE89370400440532013000" };
  expectStatus(200, await owner.patch("/finance/settings", { ...seller, ...reached }));
  const address = { postcode: "63225", city: "Langen", country: "DE", email: "sam@example.com" };
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, address));
  const deposit = { person_id: student.personId, amount_minor: 700, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", deposit));
  await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  const document = expectStatus(200, await owner.get(`/finance/invoices/${id}/document?format=xrechnung`));
  expect(document.text).toContain('<cbc:PrepaidAmount currencyID="EUR">7.00</cbc:PrepaidAmount>');
  expectStatus(404, await instructor.get(`/finance/invoices/${id}/document`));
});

test("a line whose reversal is on another document is not credited again", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  expectStatus(200, await school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "Wrong." }));
  expect((await draft(school)).kind).toBe("credit_note");
  const again = await school.owner.post(`/finance/invoices/${id}/credit`, { reason: "Wrong." });
  expect(expectStatus(409, again).body.error.reason).toBe("line_credited");
});

test("a reversal that a credit note for the invoice stands for counts once", async () => {
  const { school, credit } = await creditedReversal();
  expect(await act(school, credit.id, "send")).toMatchObject({ gross_minor: -11_900 });
});

test("the sale of a free package is no credit note: its charge is reversed", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const hours = { person_id: student.personId, name: "A gift", uses: "aircraft", quantity: "60.00" };
  expectStatus(201, await owner.post("/finance/packages", { ...hours, price_minor: 0, valid_from: "2026-01-01" }));
  const { id } = await draft(school);
  await act(school, id, "send");
  const all = { reason: "Not wanted." };
  expect(await refused(school, `/finance/invoices/${id}/credit`, all)).toBe("line_credited");
  expect(expectStatus(200, await owner.get("/finance/packages")).body.data).toMatchObject([{ voided_at: null }]);
  const [charge] = expectStatus(200, await owner.get("/finance/charges")).body.data;
  await reverse(school, charge.id);
  const [ended] = expectStatus(200, await owner.get("/finance/packages")).body.data;
  expect(ended.voided_at).not.toBeNull();
});

test("a refund is not dated before what it gives back, nor in the future", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const issuesOf = async (path: string, refunded_on: string) =>
    expectStatus(400, await owner.post(`${path}/refund`, { refunded_on, reason: "Wrong." })).body.issues[0];
  const deposit = { person_id: student.personId, amount_minor: 700, method: "cash", received_on: "2026-05-02" };
  const { id } = expectStatus(201, await owner.post("/finance/payments", deposit)).body.data;
  const early = await issuesOf(`/finance/payments/${id}`, "2026-05-01");
  expect(early).toMatchObject({ path: "body.refunded_on", message: expect.stringContaining("2026-05-02") });
  expect((await issuesOf(`/finance/payments/${id}`, "2099-01-01")).path).toBe("body.refunded_on");
  const given = { refunded_on: "2026-05-02", reason: "Paid twice." };
  const refunded = expectStatus(200, await owner.post(`/finance/payments/${id}/refund`, given)).body.data;
  expect(refunded.refunds).toMatchObject([{ amount_minor: 700, method: "cash", refunded_on: "2026-05-02" }]);

  const credit = await draft(school, { lines: [{ ...headset, unit_price_minor: -100 }] });
  const { issued_date } = await act(school, credit.id, "send");
  const before = Temporal.PlainDate.from(issued_date).subtract({ days: 1 }).toString();
  expect((await issuesOf(`/finance/invoices/${credit.id}`, before)).path).toBe("body.refunded_on");
  expect(await act(school, credit.id, "refund", { refunded_on: issued_date, reason: "Back." })).toMatchObject({
    status: "paid",
    refunds: [{ amount_minor: 119, method: "bank_transfer", refunded_on: issued_date, reason: "Back." }],
  });
});
