/** Who owes what, since when. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { TestClock } from "../../support/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { newInvoice, newSellingSchool, sendInvoice, useCurrency } from "../../support/money.ts";
import { expectStatus, password } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

test("the open invoices of each person by how long they are overdue, in the days of the school's time zone", async () => {
  // In Berlin, 23:30.
  const school = await newSellingSchool(await newInstallation({ clock: new TestClock("2026-06-14T21:30:00.000Z") }));
  const { installation, orgId, owner, student, instructor } = school;
  const { clock } = installation;
  let token = owner.token;
  const call = async (method: string, path: string, body?: object): Promise<Body> => {
    const answer = await installation.call(method, `/orgs/${orgId}${path}`, { token, ...(body && { body }) });
    if (answer.status >= 400) throw new Error(answer.text);
    return answer.body.data;
  };
  const wait = async (count: number) => {
    clock.advance(days(count));
    const body = { email: owner.email, password };
    token = expectStatus(200, await installation.call("POST", "/auth/login", { body })).body.access_token;
  };
  const line = { description: "Lesson", quantity: "1.00", unit: "piece", vat_category: "zero", vat_rate: "0.00" };
  const send = async (person_id: string, unit_price_minor: number, payment_days: number): Promise<Body> => {
    const body = { person_id, payment_days, lines: [{ ...line, unit_price_minor }] };
    return call("POST", `/finance/invoices/${(await call("POST", "/finance/invoices", body)).id}/send`);
  };
  expect(await call("GET", "/finance/aging")).toEqual([]);

  // Due on 2026-06-14, and 1, 2, 31, 61, 91 and 92 days later.
  const first = await send(student.personId, 1, 0);
  for (const [amount, inDays] of [
    [10, 1],
    [100, 2],
    [1000, 31],
    [10_000, 61],
    [100_000, 91],
    [1_000_000, 92],
  ] as const)
    await send(student.personId, amount, inDays);
  await send(instructor.personId, 500, 14);
  // Covered by money on account: not listed.
  await send(owner.personId, 700, 14);
  await call("POST", "/finance/payments", { person_id: owner.personId, amount_minor: 700, method: "cash" });

  const shown = ({ not_due_minor, ...row }: Body) => [
    ...[not_due_minor, row.days_1_30_minor, row.days_31_60_minor, row.days_61_90_minor, row.days_over_90_minor],
  ];
  const all = 1_111_111;
  const [largest, smallest, ...others] = await call("GET", "/finance/aging");
  expect(others).toEqual([]);
  expect(largest).toMatchObject({
    ...{ person_id: student.personId, name: "Sam Student", currency: "EUR", owed_minor: all, total_minor: all },
    ...{ oldest_due_on: first.due_on, on_account_minor: 0 },
  });
  expect(shown(largest)).toEqual([all, 0, 0, 0, 0]);
  expect(smallest).toMatchObject({ name: "Ines Instructor", owed_minor: 500 });
  const names = (rows: Body[]) => rows.map(({ name }) => name);
  expect(names(await call("GET", "/finance/aging?order=name"))).toEqual(["Ines Instructor", "Sam Student"]);

  // An hour later a day is over.
  clock.advance(3_600_000);
  await wait(0);
  expect(shown((await call("GET", "/finance/aging"))[0])).toEqual([all - 1, 1, 0, 0, 0]);
  await wait(30);
  expect(shown((await call("GET", "/finance/aging"))[0])).toEqual([1_111_000, 110, 1, 0, 0]);
  await wait(60);
  expect(shown((await call("GET", "/finance/aging"))[0])).toEqual([1_100_000, 10_000, 1000, 110, 1]);
  await wait(2);
  expect(shown((await call("GET", "/finance/aging"))[0])).toEqual([0, 1_100_000, 10_000, 1000, 111]);

  await call("POST", "/finance/payments", { person_id: student.personId, amount_minor: 111, method: "cash" });
  const [row] = await call("GET", "/finance/aging");
  expect(row).toMatchObject({ owed_minor: all - 111, total_minor: all, on_account_minor: 111 });

  const pages: Body[] = [];
  for (const order of ["debt", "name"])
    for (let path = `/finance/aging?limit=1&order=${order}`; path !== ""; ) {
      const { data, page } = (await installation.call("GET", `/orgs/${orgId}${path}`, { token })).body;
      pages.push(...names(data));
      path = page.next_cursor === null ? "" : `/finance/aging?limit=1&order=${order}&cursor=${page.next_cursor}`;
    }
  expect(pages).toEqual(["Sam Student", "Ines Instructor", "Ines Instructor", "Sam Student"]);
});

test("only members who read the money see it", async () => {
  const { student, instructor } = await newSellingSchool();
  for (const by of [student, instructor]) expect((await by.get("/finance/aging")).status).toBe(403);
});

test("what is owed in two currencies is two rows, each with its own invoices", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  for (const [currency, unit_price_minor] of [
    ["EUR", 1000],
    ["CHF", 500],
  ] as const) {
    await useCurrency(school, currency);
    await sendInvoice(school, await newInvoice(school, { unit_price_minor }));
  }
  const { data } = expectStatus(200, await owner.get("/finance/aging")).body;
  expect(data.map((row: Body) => [row.currency, row.owed_minor, row.total_minor, row.not_due_minor])).toEqual([
    ["EUR", 1190, 1190, 1190],
    ["CHF", 595, 595, 595],
  ]);
});
