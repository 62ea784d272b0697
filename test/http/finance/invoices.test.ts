/** Invoices, from the draft to the payment. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { completeSeller, newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { expectStatus, Member, password, type School } from "../../support/school.ts";
import { newMailingSchool } from "../notifications/mailing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const headset = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1500 };

async function addCharge({ owner, student }: School, charge: object = {}): Promise<Body> {
  const body = { person_id: student.personId, ...headset, ...charge };
  return expectStatus(201, await owner.post("/finance/charges", body)).body.data;
}

const today = ({ installation }: School) => installation.clock.now().toISOString().slice(0, 10);

async function draft(school: School, body: object = {}): Promise<Body> {
  const whose = { person_id: school.student.personId, until: today(school) };
  return expectStatus(201, await school.owner.post("/finance/invoices", { ...whose, ...body })).body.data;
}

const act = async ({ owner }: School, id: string, action: string, body?: object, status = 200): Promise<Body> =>
  expectStatus(status, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.data;

const pay = async ({ owner }: School, body: object, status = 201): Promise<Body> =>
  expectStatus(status, await owner.post("/finance/payments", { method: "bank_transfer", ...body })).body;

const read = async ({ owner }: School, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;

test("a draft takes the open charges, and sending gives it number, dates, seller and buyer", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const made = await draft(school, { lines: [{ ...headset, description: "Map", unit_price_minor: -301 }] });
  expect(made).toMatchObject({
    ...{ kind: "invoice", status: "draft", number: null, issued_on: null, due_on: null, balance_minor: 0 },
    ...{ net_minor: 1199, vat_minor: 228, gross_minor: 1427 },
    vat: [{ vat_category: "standard", vat_rate: "19.00", vat_reason: null, net_minor: 1199, vat_minor: 228 }],
  });
  expect(
    made.lines.map((line: Body) => [line.charge_id, line.quantity, line.unit_price_minor, line.net_minor]),
  ).toEqual([
    [charge.id, "1.00", 1500, 1500],
    [null, "-1.00", 301, -301],
  ]);
  const sent = await act(school, made.id, "send");
  const year = today(school).slice(0, 4);
  expect(sent).toMatchObject({ status: "sent", number: `INV-${year}-00001`, balance_minor: 1427 });
  expect(sent.buyer.name).toBe("Sam Student");
  expect(sent.due_on).toBe(Temporal.PlainDate.from(sent.issued_date).add({ days: 14 }).toString());
  expect((await school.owner.post(`/finance/invoices/${made.id}/send`)).body.error.reason).toBe("wrong_status");
});

test("payments settle it, also in part; a refund opens it again; a cancellation gives its charges back", async () => {
  const school = await newSellingSchool();
  await addCharge(school, { unit_price_minor: 10_000 });
  const { id } = await draft(school);
  await act(school, id, "send");
  const first = (await pay(school, { invoice_id: id, amount_minor: 1900 })).data;
  expect(await read(school, id)).toMatchObject({ status: "sent", paid_minor: 1900, balance_minor: 10_000 });
  expect((await school.owner.post(`/finance/invoices/${id}/cancel`, { reason: "Wrong." })).body.error.reason).toBe(
    "invoice_settled",
  );
  const second = (await pay(school, { invoice_id: id, amount_minor: 10_500 })).data;
  expect(second).toMatchObject({ allocated_minor: 10_000, on_account_minor: 500 });
  expect(await read(school, id)).toMatchObject({ status: "paid", balance_minor: 0 });
  expectStatus(
    200,
    await school.owner.post(`/finance/payments/${second.id}/refund`, { amount_minor: 700, reason: "Too much." }),
  );
  expect(await read(school, id)).toMatchObject({
    status: "sent",
    balance_minor: 200,
    paid_minor: 11_700,
    paid_on: null,
  });
  for (const { id } of [first, second])
    expectStatus(200, await school.owner.post(`/finance/payments/${id}/refund`, { reason: "All." }));
  expect(await read(school, id)).toMatchObject({ status: "sent", balance_minor: 11_900, paid_minor: 0 });
  await act(school, id, "cancel", { reason: "Wrong." }, 201);
  expect(await read(school, id)).toMatchObject({ status: "void", balance_minor: 0 });
  const [charge] = (await school.owner.get("/finance/charges")).body.data;
  expect(charge).toMatchObject({ status: "open", invoice_id: null });
  const again = await act(school, (await draft(school)).id, "send");
  expect(again.number).toEndWith("-00002");
});

test("a credit note settles the invoice, and what is left is given back", async () => {
  const school = await newSellingSchool();
  await addCharge(school, { unit_price_minor: 10_000 });
  const charge = await addCharge(school, { unit_price_minor: 1000 });
  const { id, lines } = await draft(school);
  await act(school, id, "send");
  await pay(school, { invoice_id: id, amount_minor: 11_900 });
  const line = lines.find((one: Body) => one.charge_id === charge.id);
  const credit = await act(school, id, "credit", { reason: "Broken.", lines: [{ line_id: line.id }] }, 201);
  expect(credit).toMatchObject({ kind: "credit_note", gross_minor: -1190, credits_id: id });
  expect(
    (await school.owner.post(`/finance/invoices/${id}/credit`, { reason: "x", lines: [{ line_id: line.id }] })).body
      .error.reason,
  ).toBe("line_credited");
  expect(await act(school, credit.id, "send")).toMatchObject({ status: "paid", balance_minor: 0 });
  expect(await read(school, id)).toMatchObject({ status: "paid", credited_minor: 1190, paid_minor: 11_900 });
  // The reversal of a charge that is credited is credited no second time.
  expectStatus(200, await school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "Broken." }));
  const rest = await act(school, id, "credit", { reason: "All." }, 201);
  expect(rest.lines).toHaveLength(1);
  const sent = await act(school, rest.id, "send");
  expect(sent).toMatchObject({ status: "sent", balance_minor: -11_900, gross_minor: -11_900 });
  expect(await act(school, rest.id, "refund", { reason: "Back." })).toMatchObject({ status: "paid", balance_minor: 0 });
});

test("money on account settles the next invoice", async () => {
  const school = await newSellingSchool();
  const { data } = await pay(school, { person_id: school.student.personId, amount_minor: 5000 });
  expect(data).toMatchObject({ on_account_minor: 5000, allocations: [] });
  await addCharge(school, { unit_price_minor: 10_000 });
  expect(await act(school, (await draft(school)).id, "send")).toMatchObject({ balance_minor: 6900, paid_minor: 5000 });
});

test("a run invoices everybody with open charges once", async () => {
  const school = await newSellingSchool();
  await addCharge(school);
  await addCharge(school, { person_id: school.instructor.personId, unit_price_minor: -700 });
  const until = today(school);
  const preview = expectStatus(200, await school.owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data;
  const run = expectStatus(200, await school.owner.post("/finance/invoice-runs", { until, send: true })).body.data;
  const figures = (all: Body) => all.invoices.map(({ invoice_id: _, ...one }: Body) => one);
  expect(figures(run)).toEqual(figures(preview));
  expect(
    figures(run)
      .map((one: Body) => [one.kind, one.gross_minor])
      .sort(),
  ).toEqual([
    ["credit_note", -833],
    ["invoice", 1785],
  ]);
  expect(expectStatus(200, await school.owner.post("/finance/invoice-runs", { until })).body.data.invoices).toEqual([]);
});

test("the mail of an invoice says how to pay it, or that it is paid", async () => {
  const school = await newMailingSchool();
  await completeSeller(school);
  const { installation, owner, student } = school;
  const mailed = async () => {
    await installation.scheduler.runNow("mail-sending");
    return installation.mails.splice(0).find(({ to }) => to === student.email)?.text;
  };
  const iban = "DE89370400440532013000";
  expectStatus(200, await owner.patch("/finance/settings", { iban }));
  await addCharge(school, { unit_price_minor: 10_000 });
  await act(school, (await draft(school)).id, "send");
  const toPay = await mailed();
  expect(toPay).toContain("DE89 3704 0044 0532 0130 00, ");
  expect(toPay).not.toContain("It is paid");

  const payment = {
    person_id: student.personId,
    amount_minor: 50_000,
    method: "bank_transfer",
    received_on: "2026-06-14",
  };
  expectStatus(201, await owner.post("/finance/payments", payment));
  await mailed();
  await addCharge(school, { unit_price_minor: 10_000 });
  const { id } = await draft(school);
  expect(await act(school, id, "send")).toMatchObject({ status: "paid" });
  const paid = await mailed();
  expect(paid).toContain("It is paid from your account.");
  expect(paid).not.toContain("DE89");
});

test("the job marks what is due as overdue, reminds in steps, and a mail goes to the customer's address", async () => {
  const school = await newMailingSchool();
  await completeSeller(school);
  const { installation, student } = school;
  let { owner } = school;
  /** Lets days pass, and has the owner sign in again. */
  const pass = async (count: number) => {
    installation.clock.advance(days(count));
    const signIn = { email: owner.email, password };
    const { access_token: token } = (await installation.call("POST", "/auth/login", { body: signIn })).body;
    owner = new Member(installation, { ...owner, token });
    Object.assign(school, { owner });
  };
  const job = async (name: string) => installation.scheduler.runNow(name);
  const mailed = async () => {
    await job("mail-sending");
    return installation.mails.splice(0).map(({ to, subject }) => [to, subject]);
  };
  const seller = { iban: "DE89370400440532013000", payment_days: 10, reminder_days: [7, 21] };
  expectStatus(200, await owner.patch("/finance/settings", seller));
  await addCharge(school, { unit_price_minor: 10_000 });
  const { id } = await draft(school);
  const { number } = await act(school, id, "send");
  expect(await mailed()).toEqual([[student.email, `Invoice ${number}: 119.00 EUR`]]);
  const customer = `/finance/customers/${student.personId}`;
  expectStatus(200, await owner.patch(customer, { email: "ap@example.com" }));

  await pass(10);
  await job("invoice-overdue");
  expect((await read(school, id)).status).toBe("sent");
  await pass(1);
  await job("invoice-overdue");
  expect(await read(school, id)).toMatchObject({ status: "overdue", reminders: 0 });
  expect(await mailed()).toEqual([]);
  await pass(6);
  await job("invoice-overdue");
  await job("invoice-overdue");
  const reminder = ["ap@example.com", `Reminder: invoice ${number} is overdue`];
  expect(await mailed()).toEqual([reminder]);
  expect(await read(school, id)).toMatchObject({ status: "overdue", reminders: 1 });

  // Paid, and given back later: what was missed is one reminder.
  const payment = (await pay(school, { invoice_id: id, amount_minor: 11_900 })).data;
  expect((await read(school, id)).status).toBe("paid");
  await pass(30);
  await job("invoice-overdue");
  expect(await mailed()).toEqual([]);
  expectStatus(200, await owner.post(`/finance/payments/${payment.id}/refund`, { reason: "It bounced." }));
  expect((await read(school, id)).status).toBe("overdue");
  await job("invoice-overdue");
  expect(await mailed()).toEqual([reminder]);
  expect(await read(school, id)).toMatchObject({ reminders: 2 });
  await installation.close();
});

test("members see what was sent to them, and no drafts or others' invoices; so does the public API, with drafts", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  await addCharge(school);
  const { id } = await draft(school);
  expectStatus(404, await student.get(`/finance/invoices/${id}`));
  await act(school, id, "send");
  const other = await draft(school, { person_id: instructor.personId, until: null, lines: [headset] });
  await act(school, other.id, "send");
  const ids = async (caller: Body, query = "") =>
    expectStatus(200, await caller.get(`/finance/invoices${query}`)).body.data.map((one: Body) => one.id);
  expect(await ids(student)).toEqual([id]);
  expect(await ids(student, `?person_id=${instructor.personId}`)).toEqual([]);
  expectStatus(404, await student.get(`/finance/invoices/${other.id}`));
  for (const action of ["void", "cancel"])
    expectStatus(403, await student.post(`/finance/invoices/${id}/${action}`, { reason: "Mine." }));
  const drafted = await draft(school, { until: null, lines: [headset] });
  expect(await ids(owner, "?status=draft")).toEqual([drafted.id]);
  const key = await school.apiKey("public.invoices:read");
  const open = async (path: string) => expectStatus(200, await school.publicGet(`/invoices${path}`, key)).body;
  const listed = (await open("")).data.map((one: Body) => one.id);
  expect(listed.at(-1)).toBe(drafted.id);
  expect(listed.sort()).toEqual([other.id, id, drafted.id].sort());
  expect((await open("?from=2020-01-01T00:00:00Z")).data).toHaveLength(2);
  expect((await open("?to=2099-01-01T00:00:00Z&status=draft")).data).toEqual([]);
  expect((await open(`/${id}`)).data).toMatchObject({ status: "sent", line_items: [{ description: "Headset" }] });
});

test("a cancelled invoice gives a charge that was reversed meanwhile no second life", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  expectStatus(200, await school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "Wrong." }));
  await act(school, id, "cancel", { reason: "Wrong." }, 201);
  const charges = (await school.owner.get("/finance/charges")).body.data;
  expect(charges.map((one: Body) => one.status)).toEqual(["offset", "offset"]);
  const nothing = { person_id: school.student.personId, until: today(school) };
  expectStatus(400, await school.owner.post("/finance/invoices", nothing));
});

test("a payment is an event, and a repeated request with its key records it once", async () => {
  const school = await newSellingSchool();
  await addCharge(school);
  const { id } = await draft(school);
  await act(school, id, "send");
  const body = { invoice_id: id, amount_minor: 500, method: "cash" };
  const headers = { "Idempotency-Key": "a-payment-1" };
  const send = () => school.owner.call("POST", `/orgs/${school.orgId}/finance/payments`, { body, headers });
  const [first, second] = [expectStatus(201, await send()), expectStatus(201, await send())];
  expect(second.body).toEqual(first.body);
  expect((await read(school, id)).paid_minor).toBe(500);
  const { data } = (await school.owner.get("/integrations/events?type=payment.received")).body;
  expect(data.map((one: Body) => [one.data.payment.id, one.data.invoice.id, one.data.invoice.balance_minor])).toEqual([
    [first.body.data.id, id, 1285],
  ]);
});

test("an invoice is a PDF file, an XRechnung and a Factur-X, which stay as they were sent; what an e-invoice lacks is named", async () => {
  const school = await newSellingSchool();
  const { owner, student, orgId, installation } = school;
  await addCharge(school);
  expectStatus(200, await owner.patch("/finance/settings", { phone: null }));
  const { id } = await draft(school);
  const path = `/orgs/${orgId}/finance/invoices/${id}/document`;
  const get = (format: string) => installation.call("GET", `${path}?format=${format}`, { token: owner.token });
  expect(expectStatus(409, await get("pdf")).body.error.reason).toBe("wrong_status");
  await act(school, id, "send");
  const { error } = expectStatus(409, await get("xrechnung")).body;
  expect(error).toMatchObject({
    reason: "e_invoice_incomplete",
    fields: ["seller.phone"],
    message: expect.stringMatching(
      /seller\.phone: .*It stays as it was sent: cancel or credit it, and invoice anew\.$/,
    ),
  });
  await act(school, id, "cancel", { reason: "Without a phone." }, 201);
  expectStatus(200, await owner.patch("/finance/settings", { phone: "+49 6103 1" }));
  const again = await draft(school);
  const sent = await act(school, again.id, "send");
  const download = async (format: string) => {
    const file = `/orgs/${orgId}/finance/invoices/${again.id}/document?format=${format}`;
    return expectStatus(200, await installation.call("GET", file, { token: student.token }));
  };
  const pdf = await download("pdf");
  expect(pdf.headers.get("content-disposition")).toContain(`${sent.number}.pdf`);
  expect(pdf.text).toStartWith("%PDF-");
  const xml = await download("xrechnung");
  expect(xml.headers.get("content-type")).toBe("application/xml");
  expect(xml.text).toContain(`<cbc:ID>${sent.number}</cbc:ID>`);
  expect(xml.text).toContain('<cbc:PayableAmount currencyID="EUR">17.85</cbc:PayableAmount>');
  expect((await download("factur-x")).text).toStartWith("%PDF-");
  await pay(school, { invoice_id: again.id, amount_minor: 1785 });
  expect((await download("xrechnung")).text).toBe(xml.text);
});

test("a public invoice names the debtor as it was sent, by the number that the school has for them", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const customer = `/finance/customers/${student.personId}`;
  expectStatus(200, await owner.patch(customer, { company: "Berg GmbH", customer_number: "10042" }));
  const draft = await newInvoice(school);
  const key = await school.apiKey("public.invoices:read");
  const buyer = async () => expectStatus(200, await school.publicGet(`/invoices/${draft.id}`, key)).body.data.buyer;
  expect(await buyer()).toBeNull();
  await sendInvoice(school, draft);
  expectStatus(200, await owner.patch(customer, { company: null, customer_number: null }));
  expect(await buyer()).toEqual({ name: "Sam Student", company: "Berg GmbH", customer_number: "10042" });
  const [listed] = expectStatus(200, await school.publicGet("/invoices", key)).body.data;
  expect(listed.buyer).toEqual(await buyer());

  // Free again.
  const other = `/finance/customers/${instructor.personId}`;
  expectStatus(200, await owner.patch(other, { customer_number: "10042" }));
  expectStatus(200, await owner.patch(other, { customer_number: "10042" }));
  const taken = expectStatus(409, await owner.patch(customer, { customer_number: "10042" }));
  expect(taken.body.error).toMatchObject({ reason: "customer_number_taken" });
  expect(taken.body.error.message).toContain(instructor.personId);
});
