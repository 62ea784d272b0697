/** Accounts of people, and their statements. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import type { OrgId } from "../../../src/core/ids.ts";
import { newSellingSchool, useCurrency } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { type Body, history, play } from "./random-history.ts";

const line = { description: "Lesson", quantity: "1.00", unit: "piece" };

async function sendInvoice({ owner, student }: School, unit_price_minor: number): Promise<Body> {
  const body = { person_id: student.personId, lines: [{ ...line, unit_price_minor }] };
  const { id } = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
  return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
}

const pay = async ({ owner }: School, body: object): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/payments", { method: "cash", ...body })).body.data;

const accountOf = async (school: School, by = school.owner): Promise<Body> =>
  expectStatus(200, await by.get(`/people/${school.student.personId}/account`)).body.data;

test("an account shows what is owed, on account, and not invoiced yet, with the VAT as on one invoice", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const none = { balance_minor: 0, open_invoices_minor: 0, on_account_minor: 0, open_charges_minor: 0 };
  expect(await accountOf(school)).toEqual({
    person_id: student.personId,
    person_name: "Sam Student",
    balances: [{ currency: "EUR", ...none, available_minor: 0 }],
    open_invoices: [],
  });
  const invoice = await sendInvoice(school, 10_000);
  await pay(school, { person_id: student.personId, amount_minor: 5000 });
  // 19 % of 6 is 1.14; that of each, rounded, would be one cent four times.
  const charge = { person_id: student.personId, ...line };
  for (const unit_price_minor of [3, 3, 3, -3, 1000])
    expectStatus(201, await owner.post("/finance/charges", { ...charge, unit_price_minor }));
  // A draft takes the charge of 1000; it was not sent, so it counts all the same.
  const charges = (await owner.get("/finance/charges?status=open")).body.data;
  const { id } = charges.find((one: Body) => one.net_minor === 1000);
  expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, charge_ids: [id] }));

  expect(await accountOf(school, student)).toEqual({
    person_id: student.personId,
    person_name: "Sam Student",
    balances: [
      {
        ...{ currency: "EUR", balance_minor: -6900, open_invoices_minor: 11_900, on_account_minor: 5000 },
        ...{ open_charges_minor: 1190 + 6 + 1, available_minor: -6900 - 1197 },
      },
    ],
    open_invoices: [
      {
        ...{ id: invoice.id, number: invoice.number, status: "sent", currency: "EUR" },
        ...{ issued_date: invoice.issued_date, due_on: invoice.due_on, gross_minor: 11_900, balance_minor: 11_900 },
      },
    ],
  });
});

test("members see their own account only", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const path = `/people/${student.personId}/account`;
  expect((await instructor.get(path)).status).toBe(404);
  expect((await instructor.get(`${path}/statement`)).status).toBe(404);
  expect((await student.get(`${path}/statement`)).status).toBe(200);
  expect((await student.get(`/people/${owner.personId}/account`)).status).toBe(404);
  expect((await owner.get("/people/01890a5d-ac96-774b-bcce-b302099a8057/account")).status).toBe(404);
});

test("a statement has the postings of a period, from its opening to its closing balance, in pages too", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const person_id = student.personId;
  await pay(school, { person_id, amount_minor: 300, received_on: "2026-01-31" });
  const invoice = await sendInvoice(school, 10_000);
  const late = await pay(school, { person_id, amount_minor: 200, received_on: "2026-02-01" });
  await pay(school, { person_id: owner.personId, amount_minor: 7 });
  await pay(school, { invoice_id: invoice.id, amount_minor: 1000 });

  const path = `/people/${person_id}/account/statement`;
  const { data, ...all } = (await student.get(path)).body;
  expect(all).toMatchObject({ currency: "EUR", opening_balance_minor: 0, closing_balance_minor: -10_400 });
  expect(
    data.map((one: Body) => [one.on, one.posting, one.document_number, one.amount_minor, one.balance_minor]),
  ).toEqual([
    ["2026-01-31", "payment", null, 300, 300],
    ["2026-02-01", "payment", null, 200, 500],
    [invoice.issued_date, "invoice", invoice.number, -11_900, -11_400],
    [invoice.issued_date, "payment", invoice.number, 1000, -10_400],
  ]);
  const february = (await student.get(`${path}?from=2026-02-01&to=2026-03-01`)).body;
  expect(february).toMatchObject({ opening_balance_minor: 300, closing_balance_minor: 500 });
  expect(february.data).toMatchObject([{ payment_id: late.id, amount_minor: 200, balance_minor: 500 }]);
  expect((await student.get(`${path}?currency=CHF`)).body).toMatchObject({ currency: "CHF", data: [] });
  expect((await student.get(`${path}?from=2026-03-01&to=2026-02-01`)).status).toBe(400);

  const walked: Body[] = [];
  for (let query = "?limit=1"; query !== ""; ) {
    const { data, page } = (await student.get(`${path}${query}`)).body;
    walked.push(...data);
    query = page.next_cursor === null ? "" : `?limit=1&cursor=${page.next_cursor}`;
  }
  expect(walked).toEqual(data);
});

test("a statement is also CSV and PDF", async () => {
  const school = await newSellingSchool();
  const { owner, student, installation, orgId } = school;
  expectStatus(200, await owner.patch("/finance/settings", { invoice_series: "-A" }));
  const { number } = await sendInvoice(school, 100);
  const reference = "Deposit 7";
  const payment = await pay(school, {
    person_id: student.personId,
    amount_minor: 19,
    method: "bank_transfer",
    reference,
  });
  const back = { amount_minor: 4, method: "cash", reason: "Too much" };
  expectStatus(200, await owner.post(`/finance/payments/${payment.id}/refund`, back));
  const path = `/orgs/${orgId}/people/${student.personId}/account/statement`;
  const { name } = expectStatus(200, await owner.get("")).body.data;
  const csv = await student.call("GET", path, { headers: { accept: "text/csv" } });
  expect(csv.text.split("\r\n")[0]).toBe(
    "entry,on,posting,document_number,method,reference,invoice_id,payment_id,refund_id,currency,amount_minor,balance_minor",
  );
  // A spreadsheet would take the number for a formula.
  expect(csv.text).toContain(`invoice,'${number},`);
  expect(csv.text).toContain(",EUR,-119,-119\r\n");

  const response = await installation.app.handle(
    new Request(`http://localhost${path}`, {
      headers: { authorization: `Bearer ${student.token}`, accept: "application/pdf" },
    }),
  );
  const [page = ""] = await pdfText(await response.arrayBuffer());
  const parts = [
    "Statement of account",
    `Sam Student, account with ${name}`,
    number,
    "-1.19",
    "closing balance -1.04 EUR",
  ];
  for (const part of [...parts, "bank transfer: Deposit 7", "cash: Deposit 7"]) expect(page).toContain(part);
});

test("a long statement is counted and summed in pieces", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await pay(school, { person_id: student.personId, amount_minor: 1, received_on: "2026-01-01" });
  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  // 2,500 payments of 1, 2, 3 …, 200 on each day from 2026-01-01 on.
  await tenant.write((tx) =>
    tx.run(sql`insert into finance_entries
      ("on", posting, person_id, payment_id, account, currency, debit_minor, credit_minor, created_at)
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 2499)
      select date('2026-01-01', (n / 200) || ' days'), posting, person_id, payment_id, account, currency, 0, n + 1, created_at
      from finance_entries cross join numbers where account = 'receivables'`),
  );
  const upTo = (count: number) => 1 + (count * (count + 1)) / 2;
  const path = `/people/${student.personId}/account/statement`;
  const body = (await owner.get(`${path}?from=2026-01-10&to=2026-01-12&limit=500`)).body;
  expect(body).toMatchObject({ opening_balance_minor: upTo(1800), closing_balance_minor: upTo(2200) });
  expect(body.data).toHaveLength(400);
  expect(body.data.at(-1).balance_minor).toBe(upTo(2200));
  const csv = await owner.call("GET", `/orgs/${school.orgId}${path}`, { headers: { accept: "text/csv" } });
  const lines = csv.text.trimEnd().split("\r\n");
  expect(lines).toHaveLength(1 + 1 + 2500);
  expect(lines.at(-1)).toEndWith(`,2500,${upTo(2500)}`);
});

test("the account equals invoices, payments and the statement, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { school, get } = await play(steps);
      const sum = (rows: Body[], name: string): number => rows.reduce((total, row) => total + row[name], 0);
      for (const { personId } of [school.student, school.instructor]) {
        const account = await get(`/people/${personId}/account`);
        const invoices: Body[] = await get(`/finance/invoices?limit=500&person_id=${personId}`);
        const payments: Body[] = await get(`/finance/payments?limit=500&person_id=${personId}`);
        const credits = invoices.filter((one) => one.kind === "credit_note");
        const bills = invoices.filter((one) => one.kind === "invoice");
        const [{ balance_minor, open_invoices_minor, on_account_minor }] = account.balances;
        expect(open_invoices_minor).toBe(sum(bills, "balance_minor"));
        expect(on_account_minor).toBe(sum(payments, "on_account_minor") - sum(credits, "balance_minor"));
        expect(balance_minor).toBe(on_account_minor - open_invoices_minor);
        expect(sum(account.open_invoices, "balance_minor")).toBe(open_invoices_minor);
        const entries: Body[] = await get(`/people/${personId}/account/statement?limit=500`);
        expect(sum(entries, "amount_minor")).toBe(balance_minor);
        expect(entries.at(-1)?.balance_minor ?? 0).toBe(balance_minor);
      }
    }),
    { numRuns: 6 },
  );
}, 300_000);

test("an account has each currency by itself, invoices that are due first, and none that is a credit note", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const send = async (unit_price_minor: number, payment_days = 14): Promise<Body> => {
    const body = { person_id: student.personId, payment_days, lines: [{ ...line, unit_price_minor }] };
    const { id } = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
    return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
  };
  await send(-1000);
  const { balances, open_invoices } = await accountOf(school);
  expect(open_invoices).toEqual([]);
  expect(balances).toMatchObject([{ balance_minor: 1190, open_invoices_minor: 0, on_account_minor: 1190 }]);
  await useCurrency(school, "CHF");
  const sent: string[] = [];
  for (const payment_days of [30, 20, 10, 3, 1]) sent.push((await send(100, payment_days)).id);
  const both = await accountOf(school);
  expect(both.open_invoices.map(({ id }: Body) => id)).toEqual(sent.toReversed());
  const shown = ({ currency, balance_minor, on_account_minor }: Body) => [currency, balance_minor, on_account_minor];
  expect(both.balances.map(shown)).toEqual([
    ["CHF", -595, 0],
    ["EUR", 1190, 1190],
  ]);
  const aging = (await owner.get("/finance/aging")).body.data;
  expect(aging).toMatchObject([{ currency: "CHF", owed_minor: 595, total_minor: 595, on_account_minor: 0 }]);
  expectStatus(200, await owner.patch("", { currency: "AUD" }));
  const three = await accountOf(school);
  expect(three.balances.map(({ currency }: Body) => currency)).toEqual(["AUD", "CHF", "EUR"]);
});
