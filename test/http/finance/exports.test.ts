/** What the accountant takes over: the journal, and the lines of the invoices. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { placesOf } from "../../../src/core/currencies.ts";
import { currencyCodes } from "../../../src/core/currency-codes.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { decimalOf } from "../../../src/core/money.ts";
import { decimalAmount } from "../../../src/modules/finance/finance.fields.ts";
import { TestClock } from "../../support/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type Member, type School } from "../../support/school.ts";
import { type Body, history, play } from "./random-history.ts";

const line = { quantity: "1.00", unit: "piece", on: "2026-06-01" };

async function sendInvoice({ owner, student }: School, lines: object[]): Promise<Body> {
  const body = { person_id: student.personId, lines: lines.map((one) => ({ ...line, ...one })) };
  const { id } = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
  return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
}

async function csvOf(by: Member, path: string): Promise<Record<string, string>[]> {
  const { text } = expectStatus(
    200,
    await by.call("GET", `/orgs/${by.orgId}${path}`, { headers: { accept: "text/csv" } }),
  );
  const [head = "", ...rows] = text.trimEnd().split("\r\n");
  const names = head.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, at) => [names[at] ?? "", cell])));
}

const exempt = { vat_category: "exempt", vat_reason: "Section 4 no. 21 UStG" };

test("the journal has the entries of each posting, as JSON in pages and as CSV", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const invoice = await sendInvoice(school, [
    { description: "Lesson", unit_price_minor: 10_000 },
    { description: "Theory", unit_price_minor: 501, ...exempt },
  ]);
  const deposit = { person_id: student.personId, amount_minor: 5, method: "cash", received_on: "2026-01-31" };
  expectStatus(201, await owner.post("/finance/payments", deposit));
  const { data } = (await owner.get("/finance/journal")).body;
  const shown = ({ posting, account, debit, credit, vat_category, vat_rate }: Body) =>
    [posting, account, debit, credit, vat_category ?? "", vat_rate ?? ""].join(" ").trimEnd();
  expect(data.map(shown)).toEqual([
    "payment cash 0.05 0.00",
    "payment receivables 0.00 0.05",
    "invoice receivables 124.01 0.00",
    "invoice revenue 0.00 100.00 standard 19.00",
    "invoice vat 0.00 19.00 standard 19.00",
    "invoice revenue 0.00 5.01 exempt 0.00",
  ]);
  expect(data[2]).toMatchObject({
    posting_key: `invoice ${invoice.id}`,
    document_number: invoice.number,
    person: "Sam Student",
  });
  expect((await owner.get("/finance/journal?from=2026-02-01&limit=1")).body.data.map(shown)).toEqual([
    "invoice receivables 124.01 0.00",
  ]);
  expect((await owner.get("/finance/journal?to=2026-02-01")).body.data).toHaveLength(2);
  const rows = await csvOf(owner, "/finance/journal?from=2026-01-31&to=2026-02-01");
  expect(rows.map(({ on, account, debit, credit }) => [on, account, debit, credit])).toEqual([
    ["2026-01-31", "cash", "0.05", "0.00"],
    ["2026-01-31", "receivables", "0.00", "0.05"],
  ]);
  expect((await student.get("/finance/journal")).status).toBe(403);
});

test("the export of the invoices has a row for each line of what was sent, in the days of the school's time zone", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { company: "=SUM(A1)" }));
  const lines = [
    { description: "Lesson", unit_price_minor: 10_000 },
    { description: "+Theory", unit_price_minor: 501, ...exempt },
  ];
  const invoice = await sendInvoice(school, lines);
  // A draft is not there.
  const body = { person_id: student.personId, lines: [{ ...line, ...lines[0] }] };
  expectStatus(201, await owner.post("/finance/invoices", body));
  const day = Temporal.PlainDate.from(invoice.issued_date);
  const period = `from=${day}&to=${day.add({ days: 1 })}`;

  const rows = await csvOf(owner, `/finance/invoices/export?${period}`);
  expect(rows.map((row) => [row.number, row.buyer, row.position, row.description])).toEqual([
    [invoice.number, "'=SUM(A1)", "1", "Lesson"],
    [invoice.number, "'=SUM(A1)", "2", "'+Theory"],
  ]);
  expect(rows.map((row) => [row.vat_category, row.vat_rate, row.net, row.vat, row.gross, row.currency])).toEqual([
    ["standard", "19.00", "100.00", "19.00", "119.00", "EUR"],
    ["exempt", "0.00", "5.01", "0.00", "5.01", "EUR"],
  ]);
  for (const other of [`from=${day.add({ days: 1 })}`, `to=${day}`])
    expect((await owner.get(`/finance/invoices/export?${other}`)).body.data).toEqual([]);

  const first = (await owner.get("/finance/invoices/export?limit=1")).body;
  const next = (await owner.get(`/finance/invoices/export?limit=1&cursor=${first.page.next_cursor}`)).body;
  expect([first.data[0].position, next.data[0].position, next.page.next_cursor]).toEqual([1, 2, null]);
  expect((await student.get("/finance/invoices/export")).status).toBe(403);
});

test("amounts have the places of their currency, in SQL as in code", async () => {
  const school = await newSellingSchool();
  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  const amounts = [0, 1, -1, 99, -100, 123_456_789, -9_007_199_254_740_991];
  expect(new Set(currencyCodes.map(placesOf))).toEqual(new Set([0, 2, 3, 4]));
  const written = decimalAmount(sql`amount.value`, sql`currency.value`);
  const rows = await tenant.read((reader) =>
    reader.values<[string, number, string]>(sql`select currency.value, amount.value, ${written}
      from json_each(${JSON.stringify(currencyCodes)}) as currency, json_each(${JSON.stringify(amounts)}) as amount`),
  );
  expect(rows).toHaveLength(currencyCodes.length * amounts.length);
  for (const [currency, amount, text] of rows)
    expect([currency, text]).toEqual([currency, decimalOf(amount, placesOf(currency))]);
});

test("debits equal credits, in total and in each posting, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { get } = await play(steps);
      const entries: Body[] = await get("/finance/journal?limit=500");
      const postings = new Map<string, bigint>();
      for (const { posting_key, debit, credit } of entries) {
        const amount = BigInt(debit.replace(".", "")) - BigInt(credit.replace(".", ""));
        postings.set(posting_key, (postings.get(posting_key) ?? 0n) + amount);
      }
      expect([...postings].filter(([, difference]) => difference !== 0n)).toEqual([]);
      const invoices: Body[] = await get("/finance/invoices?limit=500");
      const sent = invoices.filter((one) => one.issued_on !== null && one.gross_minor !== 0);
      const kindsOf = (kind: string) => [...postings.keys()].filter((name) => name.startsWith(`${kind} `)).length;
      expect(kindsOf("invoice") + kindsOf("credit_note") + kindsOf("void")).toBe(sent.length);
      expect(kindsOf("void")).toBe(sent.filter((one) => one.kind === "cancellation").length);
      expect(kindsOf("payment")).toBe((await get("/finance/payments?limit=500")).length);
      const days = entries.map(({ on, entry }) => [on, entry]);
      expect(days).toEqual(days.toSorted(([a, b], [c, d]) => (a === c ? b - d : a < c ? -1 : 1)));
    }),
    { numRuns: 6 },
  );
}, 300_000);

test("the export has the day of the time zone at the time, however far from UTC, and no draft", async () => {
  for (const [zone, at] of [
    ["Pacific/Auckland", "2026-06-13T13:00:00.000Z"],
    ["America/Los_Angeles", "2026-06-15T04:00:00.000Z"],
  ] as const) {
    const school = await newSellingSchool(await newInstallation({ clock: new TestClock(at) }));
    const { owner, student } = school;
    expectStatus(200, await owner.patch("", { time_zone: zone }));
    const price = { quantity: "2.00", unit_price_minor: 50 };
    const { number } = await sendInvoice(school, [{ description: "Map", ...price }]);
    const body = { person_id: student.personId, lines: [{ ...line, description: "Draft", ...price }] };
    expectStatus(201, await owner.post("/finance/invoices", body));
    for (const query of ["", "?from=2026-06-14&to=2026-06-15"]) {
      const { data } = (await owner.get(`/finance/invoices/export${query}`)).body;
      expect(data).toMatchObject([
        {
          ...{ number, kind: "invoice", status: "sent", issued_date: "2026-06-14", due_on: "2026-06-28", position: 1 },
          ...{ buyer: "Sam Student", person_id: student.personId, description: "Map", on: "2026-06-01" },
          ...{
            quantity: "2.00",
            unit: "piece",
            price_per: 1,
            unit_price: "0.50",
            net: "1.00",
            vat: "0.19",
            gross: "1.19",
          },
        },
      ]);
    }
  }
});

test("the key of a posting is that of its payment, its refund or its invoice", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const invoice = await sendInvoice(school, [{ description: "Map", unit_price_minor: 1000 }]);
  const paid = { invoice_id: invoice.id, amount_minor: 1190, method: "cash" };
  const { id } = expectStatus(201, await owner.post("/finance/payments", paid)).body.data;
  for (const amount_minor of [1, 2])
    expectStatus(200, await owner.post(`/finance/payments/${id}/refund`, { amount_minor, reason: "Back." }));
  const { refunds } = (await owner.get(`/finance/payments/${id}`)).body.data;
  const { data } = (await owner.get("/finance/journal")).body;
  const keys = [...new Set(data.map(({ posting_key }: Body) => posting_key))];
  expect(keys.sort()).toEqual([
    `invoice ${invoice.id}`,
    `payment ${id}`,
    ...refunds.map((one: Body) => `refund ${one.id}`),
  ]);
});
