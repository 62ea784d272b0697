/** Random histories of invoices, credit notes, cancellations, payments and refunds, across month ends in another time zone. */

import fc from "fast-check";
import { days } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, password, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
export type Body = any;

export const zone = "Pacific/Auckland";

const which = fc.nat(30);
const amount = fc.integer({ min: 1, max: 50_000 });
/** How many days before the present one it was, for what may be recorded late. */
const late = fc.integer({ min: 0, max: 70 });
const rate = fc.constantFrom("19.00", "7.00", "0.00");

export const history = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("invoice" as const), amount, rate, to: fc.nat(1) }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("pay" as const), which, amount, late }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("deposit" as const), amount, late, to: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "credit" as const), which }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("refund" as const), which, amount, late }) },
    // Month ends: an hour before midnight in Auckland is noon in UTC.
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 900 }) }),
    },
  ),
  { minLength: 6, maxLength: 24 },
);
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

export interface Ledger {
  school: School<Installation>;
  /** What was given back of credit notes, which no list shows. */
  creditRefunds: { on: string; amount: number }[];
  get(path: string): Promise<Body>;
}

export async function play(steps: History): Promise<Ledger> {
  const school = await newSellingSchool(await newInstallation());
  const { installation, owner, student, instructor } = school;
  const { clock } = installation;
  expectStatus(200, await owner.patch("", { time_zone: zone }));
  let token = owner.token;
  const call = (method: string, path: string, body?: object) =>
    installation.call(method, `/orgs/${school.orgId}${path}`, { token, ...(body && { body }) });
  const get = async (path: string) => expectStatus(200, await call("GET", path)).body.data;
  const people = [student.personId, instructor.personId];
  const dayBefore = (past: number) =>
    Temporal.Instant.fromEpochMilliseconds(clock.now().getTime() - days(past))
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .toString();
  const creditRefunds: Ledger["creditRefunds"] = [];
  for (const step of steps) {
    if (step.kind === "wait") {
      clock.advance(step.hours * 3_600_000);
      const body = { email: owner.email, password };
      token = expectStatus(200, await installation.call("POST", "/auth/login", { body })).body.access_token;
    } else if (step.kind === "invoice") {
      const vat = { vat_category: step.rate === "0.00" ? "zero" : "standard", vat_rate: step.rate };
      const usual = { vat_category: "standard", vat_rate: "19.00" };
      const line = { quantity: "1.00", unit: "piece", on: null, vat_reason: null };
      const lines = [
        { ...line, ...vat, description: "Lesson", unit_price_minor: step.amount },
        { ...line, ...usual, description: "Map", unit_price_minor: 333 },
      ];
      const drafted = await call("POST", "/finance/invoices", { person_id: people[step.to], lines });
      expectStatus(200, await call("POST", `/finance/invoices/${expectStatus(201, drafted).body.data.id}/send`));
    } else if (step.kind === "deposit" || step.kind === "pay") {
      const invoices: Body[] = await get("/finance/invoices?limit=500");
      const open = invoices.filter((one) => one.kind === "invoice" && one.balance_minor > 0);
      const invoice = step.kind === "pay" ? open[step.which % Math.max(open.length, 1)] : undefined;
      if (step.kind === "pay" && invoice === undefined) continue;
      const whose = step.kind === "pay" ? { invoice_id: invoice.id } : { person_id: people[step.to] };
      const body = { ...whose, amount_minor: step.amount, method: "cash", received_on: dayBefore(step.late) };
      expectStatus(201, await call("POST", "/finance/payments", body));
    } else if (step.kind === "refund") {
      const payments: Body[] = await get("/finance/payments?limit=500");
      const credits: Body[] = (await get("/finance/invoices?limit=500&kind=credit_note")).filter(
        (one: Body) => one.balance_minor < 0,
      );
      const left = payments.filter((one) => one.amount_minor > one.refunded_minor);
      const found = [...left, ...credits][step.which % Math.max(left.length + credits.length, 1)];
      if (found === undefined) continue;
      const isCredit = found.kind === "credit_note";
      const most = isCredit ? -found.balance_minor : found.amount_minor - found.refunded_minor;
      const amount = Math.min(step.amount, most);
      const since = isCredit ? found.issued_date : found.received_on;
      const refunded_on = [since, dayBefore(step.late)].sort().at(-1);
      const path = isCredit ? `/finance/invoices/${found.id}/refund` : `/finance/payments/${found.id}/refund`;
      expectStatus(200, await call("POST", path, { amount_minor: amount, refunded_on, reason: "Random." }));
      if (isCredit) creditRefunds.push({ on: refunded_on, amount });
    } else {
      const invoices: Body[] = await get("/finance/invoices?limit=500&kind=invoice");
      const invoice = invoices[step.which % Math.max(invoices.length, 1)];
      if (invoice === undefined) continue;
      const answer = await call("POST", `/finance/invoices/${invoice.id}/${step.kind}`, { reason: "Random." });
      if (step.kind === "credit" && answer.status < 300)
        await call("POST", `/finance/invoices/${answer.body.data.id}/send`);
    }
  }
  return { school, creditRefunds, get };
}
