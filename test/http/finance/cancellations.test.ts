/** What was sent is cancelled by a document of its own. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { creditAfterPayment, headset, newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { newMailingSchool } from "../notifications/mailing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;
type Caller = Pick<School, "owner">;

const reason = { reason: "The wrong person." };
const read = async ({ owner }: Caller, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;
const cancel = async ({ owner }: Caller, id: string): Promise<Body> =>
  expectStatus(201, await owner.post(`/finance/invoices/${id}/cancel`, reason)).body.data;
const refused = async ({ owner }: Caller, id: string, action: string, body: object = reason) =>
  expectStatus(409, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.error;

test("a cancellation has a number of the credit notes, names what it cancels, and both owe nothing", async () => {
  const school = await newSellingSchool();
  const sent = await sendInvoice(school, await newInvoice(school));
  const made = await cancel(school, sent.id);
  const before = await read(school, sent.id);
  expect(made).toMatchObject({
    ...{ kind: "cancellation", status: "paid", cancels_id: sent.id, credits_id: null, cancelled_by_id: null },
    ...{ number: expect.stringMatching(/^CN-\d{4}-00001$/), due_on: null, note: reason.reason },
    ...{ net_minor: -1000, vat_minor: -190, gross_minor: -1190, balance_minor: 0, credited_minor: -1190 },
    ...{ seller: before.seller, buyer: before.buyer, issued_on: expect.any(String), paid_on: made.issued_date },
    vat: [{ vat_category: "standard", vat_rate: "19.00", vat_reason: null, net_minor: -1000, vat_minor: -190 }],
    lines: [
      {
        ...{ charge_id: null, credits_line_id: before.lines[0].id, description: "Headset", quantity: "-1.00" },
        ...{ unit_price_minor: 1000, net_minor: -1000, vat_minor: -190 },
      },
    ],
  });
  expect(before).toMatchObject({
    ...{ status: "void", void_reason: reason.reason, cancelled_by_id: made.id, balance_minor: 0, gross_minor: 1190 },
  });
  const credit = await creditAfterPayment(school, await sendInvoice(school, await newInvoice(school)));
  const again = await cancel(school, credit.id);
  expect(again).toMatchObject({ cancels_id: credit.id, gross_minor: 1190, balance_minor: 0 });
  expect(again.number).toEndWith("-00003");
  const { owner } = school;
  const key = await school.apiKey("public.invoices:read");
  expect(expectStatus(200, await school.publicGet(`/invoices/${made.id}`, key)).body.data).toMatchObject({
    ...{ kind: "cancellation", cancels_id: sent.id, line_items: [{ credits_line_id: before.lines[0].id }] },
  });
  expect(expectStatus(200, await owner.get("/finance/invoices?kind=cancellation")).body.data).toHaveLength(2);
  const journal: Body[] = expectStatus(200, await owner.get("/finance/journal?limit=500")).body.data;
  const posted = journal.filter(({ invoice_id }) => invoice_id === made.id);
  expect(
    posted.map(({ posting, document_number, account, debit, credit }) => [
      ...[posting, document_number, account, debit, credit],
    ]),
  ).toEqual([
    ["void", made.number, "receivables", "0.00", "11.90"],
    ["void", made.number, "revenue", "10.00", "0.00"],
    ["void", made.number, "vat", "1.90", "0.00"],
  ]);
});

test("its seller and buyer are those of the invoice, whatever they are now, and a small business cancels VAT", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const sent = await sendInvoice(school, await newInvoice(school));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { name: "Sam Married" }));
  expectStatus(200, await owner.patch("/finance/settings", { small_business: true, legal_name: "Another GmbH" }));
  const made = await cancel(school, sent.id);
  const { seller, buyer } = await read(school, sent.id);
  expect([made.seller, made.buyer, buyer.name]).toEqual([seller, buyer, "Sam Student"]);
});

test("only a draft is voided, and only what was sent and is not settled is cancelled, once", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const draft = await newInvoice(school);
  expect(await refused(school, draft.id, "cancel")).toMatchObject({
    ...{ reason: "wrong_status", message: expect.stringContaining("`void`") },
  });
  expectStatus(200, await owner.post(`/finance/invoices/${draft.id}/void`, reason));
  for (const action of ["void", "cancel"])
    expect((await refused(school, draft.id, action)).reason).toBe("wrong_status");

  const sent = await sendInvoice(school, await newInvoice(school));
  expect(await refused(school, sent.id, "void")).toMatchObject({
    ...{ reason: "wrong_status", message: expect.stringContaining("`cancel`") },
  });
  const payment = { invoice_id: sent.id, amount_minor: 1, method: "cash" };
  const paid = expectStatus(201, await owner.post("/finance/payments", payment)).body.data;
  expect((await refused(school, sent.id, "cancel")).reason).toBe("invoice_settled");
  expectStatus(200, await owner.post(`/finance/payments/${paid.id}/refund`, reason));
  expectStatus(403, await student.post(`/finance/invoices/${sent.id}/cancel`, reason));
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(`/finance/invoices/${sent.id}/cancel`, reason)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test("a cancellation is final: it is not voided, cancelled, credited, sent, changed, paid or refunded", async () => {
  const school = await newSellingSchool();
  const { owner, instructor } = school;
  const credit = await creditAfterPayment(school, await sendInvoice(school, await newInvoice(school)));
  const other = await sendInvoice(school, await newInvoice(school, { person_id: instructor.personId }));
  for (const { id } of [other, credit]) {
    const made = await cancel(school, id);
    for (const action of ["void", "cancel", "credit"])
      expect([action, (await refused(school, made.id, action)).reason]).toEqual([action, "wrong_status"]);
    expect((await refused(school, made.id, "send", {})).reason).toBe("wrong_status");
    expect((await refused(school, made.id, "refund")).reason).toBe("nothing_to_refund");
    const change = await owner.patch(`/finance/invoices/${made.id}`, { note: "Another." });
    expect(expectStatus(409, change).body.error.reason).toBe("wrong_status");
    const payment = { person_id: null, invoice_id: made.id, amount_minor: 1, method: "cash" };
    const { error } = expectStatus(409, await owner.post("/finance/payments", payment)).body;
    expect(error).toMatchObject({ reason: "invoice_not_payable", message: expect.stringContaining("a cancellation") });
  }
});

test("a cancellation is mailed, and no reminder of what it cancels follows", async () => {
  const school = await newMailingSchool();
  const sent = await sendInvoice(school, await newInvoice(school));
  const made = await cancel(school, sent.id);
  const { installation } = school;
  const mailed = async () => {
    await installation.scheduler.runNow("mail-sending");
    return installation.mails.splice(0).map(({ subject }) => subject);
  };
  const { number } = await read(school, sent.id);
  // The invoice was void before its mail was sent.
  expect(await mailed()).toEqual([`Cancellation ${made.number} of invoice ${number}`]);
  installation.clock.advance(days(40));
  await installation.scheduler.runNow("invoice-overdue");
  expect(await mailed()).toEqual([]);
});

test("it has documents that name what it cancels, whose own stay as they were sent", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { owner, student, orgId, installation } = school;
  const place = { street: "Am Flugplatz 1", postcode: "63329", city: "Egelsbach", country: "DE" };
  const seller = { ...place, email: "office@example.com", phone: "+49 6103 1234", vat_id: "DE123456789" };
  expectStatus(200, await owner.patch("/finance/settings", { ...seller, iban: "DE89370400440532013000" }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, place));
  const document = async (id: string, format: string) => {
    const url = `http://localhost/orgs/${orgId}/finance/invoices/${id}/document?format=${format}`;
    const headers = { authorization: `Bearer ${owner.token}` };
    const response = await installation.app.handle(new Request(url, { headers }));
    return { status: response.status, content: Buffer.from(await response.arrayBuffer()) };
  };
  const sent = await sendInvoice(school, await newInvoice(school));
  const other = await sendInvoice(school, await newInvoice(school));
  const { number, issued_date } = await read(school, sent.id);
  const before = await document(sent.id, "pdf");
  const made = await cancel(school, sent.id);
  await cancel(school, other.id);
  expect(await document(sent.id, "pdf")).toEqual(before);
  for (const id of [sent.id, other.id])
    for (const format of ["pdf", "xrechnung"]) expect((await document(id, format)).status).toBe(200);
  const xml = (await document(made.id, "xrechnung")).content.toString();
  expect(xml).toContain("<cbc:CreditNoteTypeCode>381<");
  expect(xml).toContain(`<cbc:ID>${number}</cbc:ID>`);
  expect((await document(made.id, "factur-x")).status).toBe(200);
  const [page] = await pdfText((await document(made.id, "pdf")).content.buffer);
  for (const text of [`Cancellation ${made.number}`, `${number} of ${issued_date}`, reason.reason])
    expect(page).toContain(text);
  expect(page).not.toContain("Please pay");
}, 300_000);

test("a credit note of a run names the invoices whose lines it credits", async () => {
  const school = await newSellingSchool();
  const { owner, student, installation, orgId } = school;
  const numbers: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const charge = { person_id: student.personId, ...headset };
    const { id } = expectStatus(201, await owner.post("/finance/charges", charge)).body.data;
    const draft = await owner.post("/finance/invoices", { person_id: student.personId, charge_ids: [id] });
    const { id: invoice } = expectStatus(201, draft).body.data;
    numbers.push((await read(school, (await sendInvoice(school, { id: invoice })).id)).number);
    expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, reason));
  }
  const pageOf = async (id: string) => {
    const path = `/orgs/${orgId}/finance/invoices/${id}/document`;
    const headers = { authorization: `Bearer ${owner.token}` };
    const response = await installation.app.handle(new Request(`http://localhost${path}`, { headers }));
    return (await pdfText(await response.arrayBuffer())).join("\n");
  };
  const run = await owner.post("/finance/invoice-runs", { until: "2099-01-01", send: true });
  const [made] = expectStatus(200, run).body.data.invoices;
  expect([made.kind, made.charges]).toEqual(["credit_note", 5]);
  const page = await pageOf(made.invoice_id);
  for (const number of numbers) expect(page).toContain(`${number} of `);
  const [first] = numbers;
  expect(page.indexOf(`${first} of `)).toBeGreaterThan(page.indexOf("5 invoices, see below"));
});
