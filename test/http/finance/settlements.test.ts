/** Which payment or credit note settles which invoice, what a refund opens again, and when it is overdue. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { completeSeller, headset, newSellingSchool, useCurrency } from "../../support/money.ts";
import { expectStatus, Member, password, type School } from "../../support/school.ts";
import { newMailingSchool } from "../notifications/mailing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const act = async ({ owner }: School, id: string, action: string, body?: object): Promise<Body> =>
  expectStatus(action === "credit" ? 201 : 200, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.data;

/** Sends an invoice, or a credit note of a negative price. */
async function send(school: School, unit_price_minor: number, terms: object = {}): Promise<Body> {
  const body = { person_id: school.student.personId, lines: [{ ...headset, unit_price_minor }], ...terms };
  return act(school, expectStatus(201, await school.owner.post("/finance/invoices", body)).body.data.id, "send");
}

const pay = async ({ owner }: School, body: object): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/payments", { method: "cash", ...body })).body.data;

const deposit = (school: School, amount_minor: number, received_on: string | null = null): Promise<Body> =>
  pay(school, { person_id: school.student.personId, amount_minor, received_on });

const refund = async ({ owner }: School, id: string, body: object = {}): Promise<Body> =>
  expectStatus(200, await owner.post(`/finance/payments/${id}/refund`, { reason: "Back.", ...body })).body.data;

const balances = async ({ owner }: School, ...some: Body[]): Promise<number[]> => {
  const all = some.map(async ({ id }) => (await owner.get(`/finance/invoices/${id}`)).body.data.balance_minor);
  return Promise.all(all);
};

/** Lets days pass, and has the owner sign in again. */
async function pass(school: Body, count: number): Promise<void> {
  const { installation, owner } = school;
  installation.clock.advance(days(count));
  const { access_token: token } = (
    await installation.call("POST", "/auth/login", { body: { email: owner.email, password } })
  ).body;
  Object.assign(school, { owner: new Member(installation, { ...owner, token }) });
}

test("the oldest money settles an invoice first, on the day it is sent; a payment settles on the day it was received", async () => {
  const school = await newSellingSchool();
  const [late, early] = [await deposit(school, 1000, "2026-06-02"), await deposit(school, 500, "2026-06-01")];
  const { settlements } = await send(school, 1000);
  expect(settlements).toMatchObject([
    { payment_id: early.id, amount_minor: 500, on: "2026-06-14" },
    { payment_id: late.id, amount_minor: 690, on: "2026-06-14" },
  ]);
  const { id } = await send(school, 1000);
  await pay(school, { invoice_id: id, amount_minor: 100, received_on: "2026-06-10" });
  const read = (await school.owner.get(`/finance/invoices/${id}`)).body.data;
  expect(read.settlements.at(-1)).toMatchObject({ amount_minor: 100, on: "2026-06-10" });
});

test("an invoice is paid on the latest of the days of what settles it, whatever was recorded last", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const paidOn = async ({ id }: Body) => (await owner.get(`/finance/invoices/${id}`)).body.data.paid_on;
  const invoice = await send(school, 1000);
  const part = { invoice_id: invoice.id, amount_minor: 600 };
  const late = await pay(school, { ...part, received_on: "2026-06-13" });
  expect(await paidOn(invoice)).toBeNull();
  await pay(school, { ...part, amount_minor: 590, received_on: "2026-06-03" });
  expect(await paidOn(invoice)).toBe("2026-06-13");

  // What was given back settles nothing, neither its first day nor that on which it was taken back.
  await refund(school, late.id);
  expect(await paidOn(invoice)).toBeNull();
  await pay(school, { ...part, received_on: "2026-06-02" });
  expect(await paidOn(invoice)).toBe("2026-06-03");

  // A payment that settles it again does so on its later day.
  const other = await send(school, 1000);
  const again = await pay(school, { invoice_id: other.id, amount_minor: 1190, received_on: "2026-06-10" });
  await refund(school, again.id, { amount_minor: 190 });
  await pay(school, { invoice_id: other.id, amount_minor: 190, received_on: "2026-06-09" });
  expect(await paidOn(other)).toBe("2026-06-10");

  // The day of what had settled it later does not count for what settles it now, and a credit note counts with its day.
  const credited = await send(school, 1000);
  await pay(school, { invoice_id: credited.id, amount_minor: 500, received_on: "2026-06-01" });
  await act(school, (await act(school, credited.id, "credit", { reason: "Broken." })).id, "send");
  expect(await paidOn(credited)).toBe("2026-06-14");
});

test("a credit note is paid on the latest of the days on which it was given back or settled an invoice", async () => {
  const school = await newSellingSchool(await newInstallation());
  const credit = await send(school, -1000);
  await pass(school, 6);
  const give = async (amount_minor: number, refunded_on: string): Promise<Body> =>
    act(school, credit.id, "refund", { amount_minor, refunded_on, reason: "Back." });
  expect((await give(600, "2026-06-20")).paid_on).toBeNull();
  expect((await give(590, "2026-06-15")).paid_on).toBe("2026-06-20");

  const other = await send(school, -1000);
  await pass(school, 1);
  await send(school, 500);
  const left = { amount_minor: 595, refunded_on: "2026-06-20", reason: "Back." };
  expect(await act(school, other.id, "refund", left)).toMatchObject({ paid_on: "2026-06-21", balance_minor: 0 });
});

test("a payment was received in this century: an earlier day is a typing error", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const body = { person_id: student.personId, amount_minor: 1, method: "cash" };
  for (const received_on of ["0001-01-01", "1999-12-31"]) {
    const answer = await owner.post("/finance/payments", { ...body, received_on });
    expect(expectStatus(400, answer).body.issues).toMatchObject([{ path: "body.received_on", code: "impossible" }]);
  }
  expect((await deposit(school, 1, "2000-01-01")).received_on).toBe("2000-01-01");
});

test("a credit note settles the invoice that it credits, then the oldest", async () => {
  const school = await newSellingSchool(await newInstallation());
  const sent: Body[] = [];
  for (const price of [1000, 1000, 1000]) {
    sent.push(await send(school, price));
    school.installation.clock.advance(1000);
  }
  const [first, second, third] = sent;
  await act(school, (await act(school, third.id, "credit", { reason: "Broken." })).id, "send");
  expect(await balances(school, first, second, third)).toEqual([1190, 1190, 0]);
  await send(school, -500);
  expect(await balances(school, first, second)).toEqual([595, 1190]);
});

test("an invoice that is open again is settled by the credit note for it before older ones", async () => {
  const school = await newSellingSchool(await newInstallation());
  const invoice = await send(school, 1000);
  const { id } = await pay(school, { invoice_id: invoice.id, amount_minor: 1190 });
  const older = await send(school, -1000);
  school.installation.clock.advance(1000);
  const credit = await act(school, (await act(school, invoice.id, "credit", { reason: "Broken." })).id, "send");
  await refund(school, id);
  expect(await balances(school, invoice, older, credit)).toEqual([0, -1190, 0]);
});

test("a refund opens the invoice first that was settled last", async () => {
  const school = await newSellingSchool();
  const { id } = await deposit(school, 2380);
  const [first, second] = [await send(school, 1000), await send(school, 1000)];
  const { allocations } = await refund(school, id, { amount_minor: 1000 });
  expect(allocations.at(-1)).toMatchObject({ invoice_id: second.id, amount_minor: -1000 });
  expect(await balances(school, first, second)).toEqual([0, 1000]);
});

test("a payment names an invoice that there is", async () => {
  const school = await newSellingSchool();
  const { id } = await deposit(school, 5000);
  const invoice_id = "01890a5d-ac96-774b-bcce-b302099a8057";
  const unknown = { path: "body.invoice_id", code: "unknown" };
  const paid = await school.owner.post("/finance/payments", { invoice_id, amount_minor: 1, method: "cash" });
  expect(expectStatus(400, paid).body.issues).toMatchObject([unknown]);
  const allocated = await school.owner.post(`/finance/payments/${id}/allocate`, { invoice_id });
  expect(expectStatus(400, allocated).body.issues).toMatchObject([unknown]);
});

test("money settles only invoices of its currency", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const { id } = await deposit(school, 5000);
  const credit = await send(school, -1000);
  await useCurrency(school, "CHF");
  const invoice = await send(school, 1000);
  expect(invoice).toMatchObject({ currency: "CHF", balance_minor: 1190 });
  const answer = await owner.post(`/finance/payments/${id}/allocate`, { invoice_id: invoice.id });
  expect(expectStatus(400, answer).body.issues[0].path).toBe("body.invoice_id");
  await send(school, -100);
  expect(await balances(school, invoice, credit)).toEqual([1071, -1190]);
});

test("a payment names an invoice or a person, and no more is allocated or refunded than there is", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const invoice = await send(school, 1000);
  const credit = await send(school, -2000);
  expect(await balances(school, invoice, credit)).toEqual([0, -1190]);
  const cash = { amount_minor: 100, method: "cash" };
  const both = { invoice_id: invoice.id, person_id: student.personId };
  for (const whose of [both, {}]) expectStatus(400, await owner.post("/finance/payments", { ...cash, ...whose }));
  const toCredit = await owner.post("/finance/payments", { ...cash, invoice_id: credit.id });
  expect(expectStatus(409, toCredit).body.error.reason).toBe("invoice_not_payable");
  const ofInvoice = await owner.post(`/finance/invoices/${invoice.id}/refund`, { reason: "Back." });
  expect(expectStatus(409, ofInvoice).body.error).toMatchObject({
    ...{ reason: "nothing_to_refund", message: "It is no credit note. Of an invoice, refund the payment." },
  });

  const other = await send(school, 5000);
  const { id } = await deposit(school, 100);
  const tooMuch = { amount_minor: 101, reason: "Back.", invoice_id: other.id };
  const { reason: _, ...allocation } = tooMuch;
  const { invoice_id: __, ...given } = tooMuch;
  for (const [action, body] of [
    ["allocate", allocation],
    ["refund", given],
  ] as const) {
    const answer = await owner.post(`/finance/payments/${id}/${action}`, body);
    expect([action, expectStatus(400, answer).body.issues[0].path]).toEqual([action, "body.amount_minor"]);
  }
});

test("a payment that was given back has nothing left to settle or to give back", async () => {
  const school = await newSellingSchool();
  const { id } = await deposit(school, 100);
  const { refunds } = await refund(school, id);
  expect(refunds).toMatchObject([{ amount_minor: 100, method: "cash", refunded_on: "2026-06-14" }]);
  const { id: invoice_id } = await send(school, 1000);
  for (const [action, body, reason] of [
    ["allocate", { invoice_id }, "nothing_on_account"],
    ["refund", { reason: "Again." }, "nothing_to_refund"],
  ] as const) {
    const answer = await school.owner.post(`/finance/payments/${id}/${action}`, body);
    expect(expectStatus(409, answer).body.error.reason).toBe(reason);
  }
});

test("what is left of a credit note is given back by a bank transfer, unless the request says otherwise", async () => {
  const school = await newSellingSchool();
  const { id } = await send(school, -1000);
  expect(await act(school, id, "refund", { amount_minor: 190, reason: "Back." })).toMatchObject({ status: "sent" });
  expect(await act(school, id, "refund", { method: "card", reason: "Back." })).toMatchObject({ status: "paid" });
  const { data } = (await school.owner.get("/finance/journal")).body;
  const refunds = data.filter(({ posting, account }: Body) => posting === "refund" && account !== "receivables");
  expect(refunds.map(({ account, credit }: Body) => [account, credit])).toEqual([
    ["bank_transfer", "1.90"],
    ["card", "10.00"],
  ]);
});

test("members see their own payments only, and a list has the days from the first to the one before its end", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const [, own] = [await deposit(school, 1, "2026-05-31"), await deposit(school, 2, "2026-06-01")];
  await deposit(school, 3, "2026-06-02");
  const { data } = (await owner.get("/finance/payments?from=2026-06-01&to=2026-06-02")).body;
  expect(data.map(({ id }: Body) => id)).toEqual([own.id]);
  expect((await student.get("/finance/payments")).body.data).toHaveLength(3);
  expect((await instructor.get("/finance/payments")).body.data).toEqual([]);
  expect((await student.get(`/finance/payments/${own.id}`)).status).toBe(200);
  expect((await instructor.get(`/finance/payments/${own.id}`)).status).toBe(404);
});

test("an invoice that a refund opens is overdue from the day after it was due", async () => {
  const school = await newSellingSchool(await newInstallation({ mail: false }));
  const run = () => school.installation.scheduler.runNow("invoice-overdue");
  const { id } = await send(school, 1000, { payment_days: 2 });
  const payment = await pay(school, { invoice_id: id, amount_minor: 1190 });
  await refund(school, payment.id, { amount_minor: 90 });
  const status = async () => (await school.owner.get(`/finance/invoices/${id}`)).body.data.status;
  await pass(school, 2);
  await run();
  expect(await status()).toBe("sent");
  await refund(school, payment.id, { amount_minor: 100 });
  expect(await status()).toBe("sent");
  await pass(school, 1);
  await run();
  expect(await status()).toBe("overdue");
  await pass(school, 40);
  await run();
  // Without mail no reminder is counted.
  expect((await school.owner.get(`/finance/invoices/${id}`)).body.data).toMatchObject({ reminders: 0 });
});

test("each reminder is sent once: not again after a refund, nor after a payment in part", async () => {
  const school = await newMailingSchool();
  await completeSeller(school);
  const { installation } = school;
  expectStatus(200, await school.owner.patch("/finance/settings", { payment_days: 0, reminder_days: [2, 5] }));
  const { id } = await send(school, 1000);
  const run = async () => {
    await installation.scheduler.runNow("invoice-overdue");
    await installation.scheduler.runNow("mail-sending");
    return installation.mails.splice(0).filter(({ subject }) => subject.startsWith("Reminder")).length;
  };
  const actions = async () => {
    const { data } = (await school.owner.get(`/audit-log?subject_kind=finance_invoice&subject_id=${id}`)).body;
    return data.filter(({ action }: Body) => /reminded|overdue/.test(action)).map(({ action }: Body) => action);
  };
  await pass(school, 2);
  expect(await run()).toBe(1);
  expect(await actions()).toEqual(["finance_invoice.reminded"]);
  await pay(school, { invoice_id: id, amount_minor: 90 });
  expect(await run()).toBe(0);
  expect(await actions()).toHaveLength(1);
  const rest = await pay(school, { invoice_id: id, amount_minor: 1100 });
  await refund(school, rest.id);
  expect(await run()).toBe(0);
  await pass(school, 3);
  expect(await run()).toBe(1);
  await pass(school, 30);
  expect(await run()).toBe(0);
  expect((await school.owner.get(`/finance/invoices/${id}`)).body.data).toMatchObject({ reminders: 2 });
  await installation.close();
});

test("nobody is reminded whose money on account covers what they owe; once it does not, they are", async () => {
  const school = await newMailingSchool();
  await completeSeller(school);
  const { installation, student } = school;
  expectStatus(200, await school.owner.patch("/finance/settings", { payment_days: 0, reminder_days: [2] }));
  const { id } = await send(school, 1000);
  const deposit = await pay(school, { person_id: student.personId, amount_minor: 1190 });
  const run = async () => {
    await installation.scheduler.runNow("invoice-overdue");
    await installation.scheduler.runNow("mail-sending");
    return installation.mails.splice(0).filter(({ subject }) => subject.startsWith("Reminder")).length;
  };
  const shown = async () => (await school.owner.get(`/finance/invoices/${id}`)).body.data;
  expect((await school.owner.get("/finance/aging")).body.data).toEqual([]);
  for (const past of [1, 1, 1]) {
    await pass(school, past);
    expect(await run()).toBe(0);
  }
  expect(await shown()).toMatchObject({ status: "overdue", reminders: 0 });
  const { data } = (await school.owner.get(`/audit-log?subject_kind=finance_invoice&subject_id=${id}`)).body;
  expect(data.filter(({ action }: Body) => /reminded|overdue/.test(action))).toHaveLength(1);
  await refund(school, deposit.id, { amount_minor: 1 });
  await pass(school, 1);
  expect(await run()).toBe(1);
  await pass(school, 1);
  expect(await run()).toBe(0);
  expect(await shown()).toMatchObject({ reminders: 1 });
  await installation.close();
});

test("reminders that were missed are one mail, and all are counted", async () => {
  const school = await newMailingSchool();
  await completeSeller(school);
  const { installation } = school;
  expectStatus(200, await school.owner.patch("/finance/settings", { payment_days: 0, reminder_days: [2, 5] }));
  const { id } = await send(school, 1000);
  await pass(school, 10);
  for (let runs = 0; runs < 2; runs++) await installation.scheduler.runNow("invoice-overdue");
  await installation.scheduler.runNow("mail-sending");
  const reminders = installation.mails.filter(({ subject }) => subject.startsWith("Reminder"));
  expect(reminders).toHaveLength(1);
  expect((await school.owner.get(`/finance/invoices/${id}`)).body.data).toMatchObject({ reminders: 2 });
  await installation.close();
});
