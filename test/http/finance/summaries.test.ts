/** Summaries of months: they follow from the journal, also for months without entries and for late payments. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import type { OrgId } from "../../../src/core/ids.ts";
import { financeSummary } from "../../../src/modules/finance/finance.jobs.ts";
import { TestClock } from "../../support/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { bound, summaryOf } from "../../support/jobs.ts";
import { newSellingSchool, useCurrency } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { type Body, history, type Ledger, play, zone } from "./random-history.ts";

const tenantOf = ({ installation, orgId }: School) => installation.storage.tenants.tenant(orgId as OrgId);

/** Runs the job at the time of the clock. @returns its report, and what it logged */
async function runJob(school: School<Installation>) {
  const { clock, storage } = school.installation;
  const logged: object[] = [];
  const log = { error: (details: object) => void logged.push(details) };
  const { control, tenants } = storage;
  const services = { control, tenant: tenants.tenant.bind(tenants), clock, log, settings: { eventRetentionDays: 30 } };
  return { report: await bound(financeSummary, services).run(clock.now()), logged };
}

async function sendInvoice({ owner, student }: School, unit_price_minor: number): Promise<Body> {
  const line = { description: "Lesson", quantity: "1.00", unit: "piece", unit_price_minor };
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, lines: [line] });
  const { id } = expectStatus(201, drafted).body.data;
  return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
}

const none = { issued_minor: 0, credited_minor: 0, voided_minor: 0, collected_minor: 0, refunded_minor: 0 };

test("each month since the first has a summary, and a late payment counts in the month in which it was received", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const key = await school.apiKey("public.finance:read");
  expect((await school.publicGet("/finance-summaries", key)).body).toEqual({ data: [] });

  const invoice = await sendInvoice(school, 10_000);
  const onAccount = { person_id: student.personId, amount_minor: 500, method: "cash", received_on: "2026-03-31" };
  expectStatus(201, await owner.post("/finance/payments", onAccount));
  const paid = { invoice_id: invoice.id, amount_minor: 1900, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", paid));

  const empty = { currency: "EUR", ...none, outstanding_minor: -500, vat: [], national_vat: [] };
  const june = {
    ...{ month: "2026-06", currency: "EUR", ...none, issued_minor: 11_900, collected_minor: 1900 },
    outstanding_minor: 9500,
    vat: [{ vat_category: "standard", vat_rate: "19.00", net_minor: 10_000, vat_minor: 1900 }],
    national_vat: [],
  };
  const all = [
    june,
    { ...empty, month: "2026-05" },
    { ...empty, month: "2026-04" },
    { ...empty, month: "2026-03", collected_minor: 500 },
  ];
  expect((await owner.get("/finance/summaries")).body).toEqual({ data: all });
  expect((await school.publicGet("/finance-summaries", key)).body).toEqual({ data: all });
  expect((await school.publicGet("/finance-summaries?limit=2", key)).body).toEqual({ data: all.slice(0, 2) });
  expect((await school.publicGet("/finance-summaries?limit=121", key)).status).toBe(400);
  expect((await student.get("/finance/summaries")).status).toBe(403);
});

test("a new month begins at midnight where the organization is, also in a cached body", async () => {
  const school = await newSellingSchool(await newInstallation({ clock: new TestClock("2026-06-30T21:50:00.000Z") }));
  const { clock } = school.installation;
  const key = await school.apiKey("public.finance:read");
  await sendInvoice(school, 100);
  const months = async () =>
    (await school.publicGet("/finance-summaries", key)).body.data.map(({ month }: Body) => month);
  expect(await months()).toEqual(["2026-06"]);
  clock.set("2026-06-30T21:59:59.999Z");
  expect(await months()).toEqual(["2026-06"]);
  clock.set("2026-06-30T22:00:00.000Z");
  expect(await months()).toEqual(["2026-07", "2026-06"]);
});

test("the job compares changed months with the journal, and corrects what differs", async () => {
  const school = await newSellingSchool(await newInstallation());
  await sendInvoice(school, 10_000);
  const right = (await school.owner.get("/finance/summaries")).body.data;
  expect(await runJob(school)).toEqual({
    report: { summary: "Compared 1 month with the journal, corrected 0 in 1 school.", failed: false },
    logged: [],
  });
  expect(await runJob(school)).toEqual({ report: "nothing_due", logged: [] });

  await tenantOf(school).write(async (tx) => {
    await tx.run(sql`update finance_months set issued_minor = 1, checked_at = null`);
    await tx.run(sql`update finance_vat_months set net_minor = 2`);
  });
  const { report, logged } = await runJob(school);
  expect(summaryOf(report)).toBe("Compared 1 month with the journal, corrected 1 in 1 school.");
  expect(logged).toMatchObject([{ organization_id: school.orgId, month: "2026-06" }]);
  expect((await school.owner.get("/finance/summaries")).body.data).toEqual(right);
  expect((await runJob(school)).report).toBe("nothing_due");
});

const monthIn = (instant: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth();

/** Computes the summaries anew, from invoices and payments alone. */
async function recomputed({ get, creditRefunds }: Ledger): Promise<Map<string, Body>> {
  const invoices: Body[] = await get("/finance/invoices?limit=500");
  const payments: Body[] = await get("/finance/payments?limit=500");
  const months = new Map<string, Body>();
  const add = (month: string, name: string, amount: number) => {
    const sums = months.get(month) ?? { ...none, vat: {} };
    sums[name] += amount;
    months.set(month, sums);
  };
  const addVat = (month: string, { vat }: Body, sign: number) => {
    for (const { vat_category, vat_rate, net_minor, vat_minor } of vat) {
      const known = (months.get(month)?.vat ?? {}) as Body;
      const [net, tax] = known[`${vat_category} ${vat_rate}`] ?? [0, 0];
      known[`${vat_category} ${vat_rate}`] = [net + sign * net_minor, tax + sign * vat_minor];
    }
  };
  // A cancellation is in the month in which what it cancels became void.
  for (const one of invoices.filter(({ kind, issued_on }) => kind !== "cancellation" && issued_on !== null)) {
    const issued = monthIn(one.issued_on).toString();
    const isInvoice = one.kind === "invoice";
    add(issued, isInvoice ? "issued_minor" : "credited_minor", isInvoice ? one.gross_minor : -one.gross_minor);
    addVat(issued, one, 1);
    if (one.voided_at === null) continue;
    const voided = monthIn(one.voided_at).toString();
    add(voided, "voided_minor", one.gross_minor);
    addVat(voided, one, -1);
  }
  for (const { received_on, amount_minor, refunds } of payments) {
    add(received_on.slice(0, 7), "collected_minor", amount_minor);
    for (const refund of refunds) add(refund.refunded_on.slice(0, 7), "refunded_minor", refund.amount_minor);
  }
  for (const { on, amount } of creditRefunds) add(on.slice(0, 7), "refunded_minor", amount);
  return months;
}

test("summaries equal a recomputation, and money in and out is what is open, after any history with late entries", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const ledger = await play(steps);
      const { get, school } = ledger;
      const summaries: Body[] = await get("/finance/summaries?limit=120");
      const expected = await recomputed(ledger);
      const [first] = [...expected.keys()].sort();
      const present = monthIn(school.installation.clock.now().toISOString()).toString();
      expect(summaries.map(({ month }) => month)).toEqual(first === undefined ? [] : monthsBack(present, first));

      let outstanding = 0;
      for (const { month, vat, national_vat, outstanding_minor, currency, ...sums } of summaries.toReversed()) {
        const { vat: rates, ...amounts } = expected.get(month) ?? { ...none, vat: {} };
        expect(national_vat).toEqual([]);
        expect({ month, ...sums }).toEqual({ month, ...amounts });
        const { issued_minor, credited_minor, voided_minor, collected_minor, refunded_minor } = amounts;
        outstanding += issued_minor - credited_minor - voided_minor - collected_minor + refunded_minor;
        expect([month, currency, outstanding_minor]).toEqual([month, "EUR", outstanding]);
        const shown = vat.map((one: Body) => [`${one.vat_category} ${one.vat_rate}`, [one.net_minor, one.vat_minor]]);
        const nonZero = Object.entries(rates).filter(([, amounts]) => (amounts as number[]).some((one) => one !== 0));
        expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(nonZero));
      }

      const open = (await get("/finance/invoices?limit=500")).reduce(
        (sum: number, one: Body) => sum + one.balance_minor,
        0,
      );
      const left = (await get("/finance/payments?limit=500")).reduce(
        (sum: number, one: Body) => sum + one.on_account_minor,
        0,
      );
      expect(outstanding).toBe(open - left);
      expect((await runJob(school)).logged).toEqual([]);
    }),
    { numRuns: 10 },
  );
}, 300_000);

function monthsBack(last: string, first: string): string[] {
  const months: string[] = [];
  for (let month = Temporal.PlainYearMonth.from(last); month.toString() >= first; month = month.subtract({ months: 1 }))
    months.push(month.toString());
  return months;
}

test("months of two currencies are apart, the highest rate comes first, and what was voided leaves no VAT", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const line = { description: "Lesson", quantity: "1.00", unit: "piece", unit_price_minor: 1000 };
  const lines = ["7.00", "19.00"].map((vat_rate) => ({ ...line, vat_category: "standard", vat_rate }));
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, lines });
  const { id } = expectStatus(201, drafted).body.data;
  expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
  await useCurrency(school, "CHF");
  const other = await sendInvoice(school, 500);
  const shown = async (query = "") =>
    (await owner.get(`/finance/summaries${query}`)).body.data.map(({ currency, outstanding_minor, vat }: Body) => [
      ...[currency, outstanding_minor, vat.map(({ vat_rate }: Body) => vat_rate).join(" ")],
    ]);
  const both = [
    ["CHF", 595, "19.00"],
    ["EUR", 2260, "19.00 7.00"],
  ];
  expect(await shown()).toEqual(both);
  expect(await shown("?limit=1")).toEqual(both);
  for (const one of [id, other.id])
    expectStatus(201, await owner.post(`/finance/invoices/${one}/cancel`, { reason: "Wrong." }));
  expect(await shown()).toEqual([
    ["CHF", 0, ""],
    ["EUR", 0, ""],
  ]);
});

test("a month that has begun stays listed where the organization moves to the west", async () => {
  const school = await newSellingSchool(await newInstallation({ clock: new TestClock("2026-06-30T22:30:00.000Z") }));
  await sendInvoice(school, 100);
  expectStatus(200, await school.owner.patch("", { time_zone: "America/New_York" }));
  const { data } = (await school.owner.get("/finance/summaries?limit=1")).body;
  expect(data).toMatchObject([{ month: "2026-07", issued_minor: 119 }]);
});

test("the job removes sums that no entry accounts for", async () => {
  const school = await newSellingSchool(await newInstallation());
  await sendInvoice(school, 10_000);
  await tenantOf(school).write((tx) =>
    tx.run(sql`insert into finance_months select month, 'CHF', 7, 0, 0, 0, 0, updated_at, null from finance_months`),
  );
  expect((await runJob(school)).logged).toHaveLength(1);
  const { data } = (await school.owner.get("/finance/summaries")).body;
  expect(data.map(({ currency, issued_minor }: Body) => [currency, issued_minor])).toEqual([
    ["CHF", 0],
    ["EUR", 11_900],
  ]);
});

test("the job ends although the clock was set back after an entry", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { clock } = school.installation;
  await sendInvoice(school, 100);
  await useCurrency(school, "CHF");
  clock.advance(60_000);
  await sendInvoice(school, 100);
  clock.advance(-30_000);
  expect(summaryOf((await runJob(school)).report)).toStartWith("Compared 1 month");
});
