/** Credit notes give back the net amount and the VAT of each category and rate, in whatever order the lines are. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import type { OrgId } from "../../../src/core/ids.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const groups = {
  full: { vat_category: "standard", vat_rate: "19.00" },
  reduced: { vat_category: "standard", vat_rate: "7.00" },
  zero: { vat_category: "zero", vat_rate: "0.00" },
  exempt: { vat_category: "exempt", vat_rate: "0.00", vat_reason: "Training" },
} as const;
type Group = keyof typeof groups;

const line = (group: Group, unit_price_minor: number) => ({
  ...{ description: `A line ${group}`, quantity: "1.00", unit: "piece", unit_price_minor, ...groups[group] },
});

async function sent({ owner, student }: School, lines: object[]): Promise<Body> {
  const draft = await owner.post("/finance/invoices", { person_id: student.personId, lines });
  const { id } = expectStatus(201, draft).body.data;
  return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
}

const credit = ({ owner }: School, { id }: Body, lines: object[] | null = null) =>
  owner.post(`/finance/invoices/${id}/credit`, { reason: "Wrong.", lines });

/** Net and VAT by category and rate. */
type Sums = Record<string, [net: number, vat: number]>;

function sumsOf(documents: readonly Body[]): Sums {
  const sums: Sums = {};
  for (const { vat_category, vat_rate, net_minor, vat_minor } of documents.flatMap(({ vat }) => vat)) {
    const [net, vat] = sums[`${vat_category} ${vat_rate}`] ?? [0, 0];
    sums[`${vat_category} ${vat_rate}`] = [net + net_minor, vat + vat_minor];
  }
  return sums;
}

const nothing = (sums: Sums): Sums => Object.fromEntries(Object.keys(sums).map((name) => [name, [0, 0]]));

test("a full credit gives back the VAT of an invoice whose reductions are in several groups", async () => {
  const school = await newSellingSchool();
  for (const [lines, gross] of [
    [[line("full", -1000), line("zero", -10_000), line("full", 24_000)], 17_370],
    [[line("reduced", 100_000), line("reduced", -100), line("full", -5000)], 100_943],
  ] as const) {
    const invoice = await sent(school, [...lines]);
    const { data } = expectStatus(201, await credit(school, invoice)).body;
    expect([invoice.gross_minor, data.gross_minor]).toEqual([gross, -gross]);
    expect(sumsOf([invoice, data])).toEqual(nothing(sumsOf([invoice])));
    expectStatus(200, await school.owner.post(`/finance/invoices/${data.id}/send`));
    expect(expectStatus(409, await credit(school, invoice)).body.error.reason).toBe("line_credited");
  }
});

test("a credit note of an older version that names no line limits the total of a full credit", async () => {
  const school = await newSellingSchool();
  const lines = [line("full", -1000), line("zero", -10_000), line("full", 24_000)];
  const invoice = await sent(school, lines);
  const part = { line_id: invoice.lines[2].id, net_minor: 1000 };
  const old = expectStatus(201, await credit(school, invoice, [part])).body.data;
  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  await tenant.write((tx) =>
    tx.run(sql`update finance_invoice_lines set credits_line_id = null where invoice_id = ${old.id}`),
  );
  // A part of what is left is credited with its own VAT.
  const another = { line_id: invoice.lines[2].id, net_minor: 5000 };
  const some = expectStatus(201, await credit(school, invoice, [another])).body.data;
  expect(some).toMatchObject({ net_minor: -5000, vat_minor: -950 });
  const { data } = expectStatus(201, await credit(school, invoice)).body;
  expect([old.gross_minor, data.gross_minor]).toEqual([-1190, -10_230]);
  expect(sumsOf([invoice, old, some, data])).toEqual(nothing(sumsOf([invoice])));
});

const price = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100, max: 50_000 }));
const anyLine = fc.record({
  group: fc.constantFrom<Group>("full", "full", "reduced", "zero", "exempt"),
  price: fc.tuple(price, fc.constantFrom(1, 1, -1)).map(([amount, sign]) => amount * sign),
});
const part = fc.record({ line: fc.nat(9), percent: fc.integer({ min: 1, max: 100 }) });

test("credit notes give back all of each group, whatever the lines, their order, and what was credited before", async () => {
  const school = await newSellingSchool();
  const property = fc.asyncProperty(
    fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    fc.array(part, { maxLength: 4 }),
    async (lines, parts) => {
      const invoice = await sent(
        school,
        lines.map((one) => line(one.group, one.price)),
      );
      const notes: Body[] = [];
      const take = async (named: object[] | null) => {
        const { status, body } = await credit(school, invoice, named);
        expect([201, 409]).toContain(status);
        if (status === 201) notes.push(body.data);
        return body;
      };
      for (const { line: at, percent } of parts) {
        const one = invoice.lines[at % invoice.lines.length];
        await take([{ line_id: one.id, net_minor: Math.ceil((Math.abs(one.net_minor) * percent) / 100) }]);
      }
      const { data, error } = await take(null);
      const left = sumsOf([invoice, ...notes]);
      const gross = Object.values(left).reduce((total, [net, vat]) => total + net + vat, 0);
      if (data) expect(left).toEqual(nothing(left));
      // What is left is owed to the person: nothing is credited.
      else if (invoice.kind === "invoice")
        expect([error.reason, gross]).toEqual([expect.any(String), Math.min(0, gross)]);
    },
  );
  await fc.assert(property, { numRuns: 60 });
}, 300_000);
