/** Whatever happens to invoices and payments: the sums hold. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { OrgId } from "../../../src/core/ids.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const which = fc.nat(30);
const vat = fc.constantFrom(
  { vat_category: "standard", vat_rate: "19.00" },
  { vat_category: "standard", vat_rate: "7.00" },
  { vat_category: "zero", vat_rate: "0.00" },
  { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 4 Nr. 21 UStG" },
);
const line = fc.record({
  quantity: fc
    .integer({ min: 1, max: 9_999_999 })
    .map((n) => `${Math.trunc(n / 100)}.${String(n % 100).padStart(2, "0")}`),
  unit_price_minor: fc.oneof(fc.integer({ min: -20_000, max: 60_000 }), fc.integer({ min: -3, max: 3 })),
  vat,
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("charge" as const), line }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("draft" as const), line }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("pay" as const), which, part: fc.integer({ min: 1, max: 200 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("deposit" as const), amount: fc.integer({ min: 1, max: 9000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("refund" as const), which, part: fc.integer({ min: 1, max: 100 }) }),
  },
  fc.record({
    kind: fc.constantFrom(
      "void" as const,
      "cancel" as const,
      "credit" as const,
      "giveBack" as const,
      "reverse" as const,
      "allocate" as const,
    ),
    which,
  }),
);

const byHand = ({ vat, ...line }: Body) => ({ description: "Random", unit: "piece", ...line, ...vat });
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const fits: Record<string, (invoice: Body) => boolean> = {
  send: ({ status }) => status === "draft",
  void: ({ status }) => status === "draft",
  cancel: ({ status, paid_minor, credited_minor }) =>
    ["sent", "overdue"].includes(status) && paid_minor === 0 && credited_minor === 0,
  pay: ({ balance_minor }) => balance_minor > 0,
  credit: ({ kind, status }) => kind === "invoice" && !["draft", "void"].includes(status),
  giveBack: ({ balance_minor }) => balance_minor < 0,
};

/** Each step is a request that the API may refuse with 400 or 409, and nothing else. */
async function take({ owner, student }: School, one: Body): Promise<number> {
  const person_id = student.personId;
  const all = async (path: string): Promise<Body[]> => (await owner.get(`${path}?limit=500`)).body.data;
  const post = async (path: string, body?: object) => {
    const answer = await owner.post(path, body);
    if (![200, 201, 400, 409].includes(answer.status)) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.status;
  };
  if (one.kind === "charge") return post("/finance/charges", { person_id, ...byHand(one.line) });
  if (one.kind === "draft")
    return post("/finance/invoices", { person_id, until: "2099-01-01", lines: [byHand(one.line)] });
  if (one.kind === "deposit") return post("/finance/payments", { person_id, amount_minor: one.amount, method: "cash" });
  if (one.kind === "reverse") {
    const charge = pick(await all("/finance/charges"), one.which);
    return charge ? post(`/finance/charges/${charge.id}/reverse`, { reason: "Random." }) : 0;
  }
  if (one.kind === "refund" || one.kind === "allocate") {
    const payment = pick(await all("/finance/payments"), one.which);
    if (!payment) return 0;
    if (one.kind === "refund") {
      const amount_minor = Math.ceil((payment.amount_minor * one.part) / 100);
      return post(`/finance/payments/${payment.id}/refund`, { amount_minor, reason: "Random." });
    }
    const open = (await all("/finance/invoices")).find(
      ({ kind, balance_minor }) => kind === "invoice" && balance_minor > 0,
    );
    return open ? post(`/finance/payments/${payment.id}/allocate`, { invoice_id: open.id }) : 0;
  }
  const invoices = await all("/finance/invoices");
  // Mostly one that the step fits.
  const fitting = one.which % 5 === 0 ? [] : invoices.filter(fits[one.kind] ?? (() => true));
  const invoice = pick(fitting.length > 0 ? fitting : invoices, one.which);
  if (!invoice) return 0;
  const path = `/finance/invoices/${invoice.id}`;
  if (one.kind === "send") return post(`${path}/send`);
  if (one.kind === "void" || one.kind === "cancel") return post(`${path}/${one.kind}`, { reason: "Random." });
  if (one.kind === "credit") return post(`${path}/credit`, { reason: "Random." });
  if (one.kind === "giveBack") return post(`${path}/refund`, { reason: "Random." });
  const amount_minor = Math.max(1, Math.ceil((invoice.balance_minor * one.part) / 100));
  return post("/finance/payments", { invoice_id: invoice.id, amount_minor, method: "bank_transfer" });
}

/** The nearest integer, half away from zero. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const sign = dividend < 0n ? -1n : 1n;
  const rest = (dividend * sign) % divisor;
  return sign * ((dividend * sign) / divisor + (rest * 2n >= divisor ? 1n : 0n));
}
const hundredths = (text: string): bigint => BigInt(text.replace(".", ""));

/** A cancellation is what it cancels, with opposite amounts, and owes nothing. */
function expectCancelled(one: Body, invoices: readonly Body[]): void {
  const cancelled = invoices.find(({ id }) => id === one.cancels_id);
  expect(cancelled).toMatchObject({ status: "void", cancelled_by_id: one.id });
  expect([one.status, one.balance_minor]).toEqual(["paid", 0]);
  expect([one.gross_minor, one.lines.length]).toEqual([-cancelled.gross_minor, cancelled.lines.length]);
  expect([one.buyer, one.seller]).toEqual([cancelled.buyer, cancelled.seller]);
}

async function check({ owner, installation, orgId }: School): Promise<void> {
  const listed: Body[] = expectStatus(200, await owner.get("/finance/invoices?limit=500")).body.data;
  const invoices: Body[] = [];
  for (const { id } of listed) invoices.push(expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data);
  const payments: Body[] = expectStatus(200, await owner.get("/finance/payments?limit=500")).body.data;
  const charges: Body[] = expectStatus(200, await owner.get("/finance/charges?limit=500")).body.data;
  const numbers = new Map<string, number[]>();
  for (const one of invoices) {
    // The net of each line is rounded, and the VAT of each category, rate and reason: lines have shares of it.
    for (const { quantity, unit_price_minor, price_per, vat_rate, net_minor, vat_minor } of one.lines) {
      expect(unit_price_minor).toBeGreaterThanOrEqual(0);
      expect(BigInt(net_minor)).toBe(
        nearest(hundredths(quantity) * BigInt(unit_price_minor), 100n * BigInt(price_per)),
      );
      expect(Math.abs(vat_minor - (net_minor * Number(vat_rate)) / 100)).toBeLessThan(1);
    }
    const total = (name: string) => sum(one.lines.map((line: Body) => line[name]));
    expect([one.net_minor, one.vat_minor]).toEqual([total("net_minor"), total("vat_minor")]);
    expect(one.gross_minor).toBe(one.net_minor + one.vat_minor);
    for (const rate of one.vat) {
      const same = one.lines.filter((line: Body) =>
        ["vat_category", "vat_rate", "vat_reason"].every((name) => line[name] === rate[name]),
      );
      expect(rate.vat_minor).toBe(sum(same.map((line: Body) => line.vat_minor)));
      expect(BigInt(rate.vat_minor)).toBe(nearest(BigInt(rate.net_minor) * hundredths(rate.vat_rate), 10_000n));
      expect(rate.net_minor).toBe(sum(same.map((line: Body) => line.net_minor)));
    }
    expect(sum(one.vat.map((rate: Body) => rate.vat_minor))).toBe(one.vat_minor);
    const isOpen = !["draft", "void"].includes(one.status);
    expect(one.balance_minor).toBe(isOpen ? one.gross_minor - one.paid_minor - one.credited_minor : 0);
    if (isOpen) expect(one.status === "paid").toBe(one.balance_minor === 0);
    if (one.kind === "invoice") expect(one.balance_minor).toBeGreaterThanOrEqual(0);
    else expect(one.balance_minor).toBeLessThanOrEqual(0);
    if (one.kind === "cancellation") expectCancelled(one, invoices);
    expect(one.status === "void" && one.number !== null).toBe(one.cancelled_by_id !== null);
    const [, series, number] = /^([A-Z]+)-\d+-(\d+)$/.exec(one.number ?? "") ?? [];
    if (series) numbers.set(series, [...(numbers.get(series) ?? []), Number(number)]);
    // A charge is invoiced once.
    for (const line of one.lines.filter(({ charge_id }: Body) => charge_id !== null && one.status !== "void")) {
      const charge = charges.find(({ id }) => id === line.charge_id);
      expect([charge.status, charge.invoice_id]).toEqual(["invoiced", one.id]);
    }
  }
  for (const given of numbers.values())
    expect(given.sort((one, other) => one - other)).toEqual(given.map((_, at) => at + 1));
  for (const one of charges) expect(one.invoice_id !== null).toBe(one.status === "invoiced");
  // issued - credited - voided = collected - refunded + outstanding
  const sent = invoices.filter(({ number }) => number !== null);
  const gross = (some: Body[]) => sum(some.map(({ gross_minor }) => gross_minor));
  const issued = gross(sent.filter(({ kind }) => kind === "invoice"));
  const credited = 0 - gross(sent.filter(({ kind }) => kind === "credit_note"));
  const voided = gross(sent.filter(({ status }) => status === "void"));
  const collected = sum(payments.map(({ amount_minor }) => amount_minor));
  const givenBack = sum(invoices.filter(({ kind }) => kind === "credit_note").map(({ paid_minor }) => -paid_minor));
  const refunded = sum(payments.map(({ refunded_minor }) => refunded_minor)) + givenBack;
  const onAccount = sum(payments.map(({ on_account_minor }) => on_account_minor));
  const outstanding = sum(invoices.map(({ balance_minor }) => balance_minor)) - onAccount;
  expect(issued - credited - voided).toBe(collected - refunded + outstanding);
  // The journal says the same.
  const tenant = installation.storage.tenants.tenant(orgId as OrgId);
  const read = async (text: string) =>
    (await tenant.read((reader) => reader.values<number[]>(text))).map((row) =>
      [...Array(row.length).keys()].map((at) => row[at]),
    );
  const unbalanced = `select 1 from finance_entries group by posting, invoice_id, payment_id, refund_id, created_at
    having sum(debit_minor) <> sum(credit_minor)`;
  expect(await read(unbalanced)).toEqual([]);
  const owed = "from finance_entries where account = 'receivables'";
  expect(await read(`select ifnull(sum(debit_minor - credit_minor), 0) ${owed}`)).toEqual([[outstanding]]);
  expect(await read("select ifnull(sum(balance_minor), 0) from finance_balances")).toEqual([[outstanding]]);
  const months =
    "select ifnull(sum(issued_minor), 0), ifnull(sum(credited_minor), 0), ifnull(sum(voided_minor), 0), ifnull(sum(collected_minor), 0), ifnull(sum(refunded_minor), 0) from finance_months";
  const [figures = []] = await read(months);
  // What was voided later than it was issued, also of credit notes, is in `voided`.
  expect(figures).toEqual([issued, credited, voided, collected, refunded]);
  const taxes = sum(sent.map(({ vat_minor }) => vat_minor));
  expect(await read("select ifnull(sum(vat_minor), 0) from finance_vat_months")).toEqual([[taxes]]);
}

test("sums, balances, numbers and the journal hold after any history of invoices and payments", async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const school = await newSellingSchool();
      for (const one of steps) {
        const outcome = `${one.kind} ${await take(school, one)}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      await check(school);
    }),
    { numRuns: Number(process.env.HISTORIES ?? 12) },
  );
  // Each kind of step succeeds now and then: otherwise this test would say nothing.
  if (process.env.HISTORIES) console.log(Object.fromEntries([...outcomes].sort()));
  for (const kind of ["charge 201", "draft 201", "send 200", "pay 201", "deposit 201"])
    expect([kind, outcomes.has(kind)]).toEqual([kind, true]);
}, 300_000);
