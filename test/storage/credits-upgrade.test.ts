/** Upgrades a school with credit notes and reversals from before each line named the line that it credits. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { newSellingSchool } from "../support/money.ts";
import { expectStatus, type School } from "../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const item = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 10_000 };
const until = "2099-01-01";

const tenantOf = ({ installation, orgId }: School) => installation.storage.tenants.tenant(orgId as OrgId);

const statementsOf = (migration = ""): string[] => migration.split("--> statement-breakpoint");

/** Runs the statements of the migration that were written by hand, and later ones for what it writes. */
async function migrate(school: School): Promise<void> {
  const of = (part: string) => statementsOf(tenantMigrations.find((text) => text.includes(part)));
  const own = of("The line of a reversal names").filter((text) => !/^\s*(DROP|CREATE)\b.*INDEX/.test(text));
  expect(own.length).toBeGreaterThan(5);
  const later = of("vat_reason_code").filter((text) => text.includes("SET `vat`"));
  const statements = [...own, ...later];
  for (const statement of statements) await tenantOf(school).write((tx) => tx.run(sql.raw(statement)));
}

const charge = async ({ owner, student }: School): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/charges", { person_id: student.personId, ...item })).body.data;

async function invoiced({ owner, student }: School, sends = true): Promise<Body> {
  const { data } = expectStatus(
    201,
    await owner.post("/finance/invoices", { person_id: student.personId, until, lines: [item] }),
  ).body;
  return sends ? expectStatus(200, await owner.post(`/finance/invoices/${data.id}/send`)).body.data : data;
}

const reverse = async ({ owner }: School, { id }: Body) =>
  expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, { reason: "Wrong." }));

/** As an older version took back a charge that was invoiced: also of a draft, and whatever credit notes gave back. */
const reverseAsBefore = (school: School, { id }: Body) =>
  tenantOf(school).write((tx) =>
    tx.run(sql`insert into finance_charges (id, person_id, kind, status, reverses_id, description, quantity, unit,
        unit_price_minor, price_per, currency, vat_category, vat_rate, net_minor, "on", created_at, updated_at)
      select '01890a5d-ac96-774b-bcce-b302099a8057', person_id, kind, 'open', id, description, -quantity, unit,
        unit_price_minor, price_per, currency, vat_category, vat_rate, -net_minor, "on", created_at, updated_at
      from finance_charges where id = ${id}`),
  );

test("lines of reversals name the lines that they credit after an upgrade", async () => {
  const school = await newSellingSchool();
  const one = await charge(school);
  const invoice = await invoiced(school);
  await reverse(school, one);
  const later = await invoiced(school);
  await tenantOf(school).write((tx) => tx.run(sql`update finance_invoice_lines set credits_line_id = null`));
  await migrate(school);
  const { lines } = (await school.owner.get(`/finance/invoices/${later.id}`)).body.data;
  const own = invoice.lines.find(({ charge_id }: Body) => charge_id === one.id);
  expect(lines.map(({ credits_line_id }: Body) => credits_line_id)).toEqual([own.id, null]);
});

test("a charge on a draft that was taken back leaves the draft in an upgrade, whose totals follow", async () => {
  const school = await newSellingSchool();
  const one = await charge(school);
  const draft = await invoiced(school, false);
  expect(draft.gross_minor).toBe(23_800);
  await reverseAsBefore(school, one);
  await migrate(school);
  const { data } = (await school.owner.get(`/finance/invoices/${draft.id}`)).body;
  expect(data).toMatchObject({ net_minor: 10_000, vat_minor: 1900, gross_minor: 11_900, lines: [{ charge_id: null }] });
  expect(data.vat).toMatchObject([{ net_minor: 10_000, vat_minor: 1900 }]);
  const charges = (await school.owner.get("/finance/charges")).body.data;
  expect(charges.map(({ status, invoice_id }: Body) => [status, invoice_id])).toEqual(Array(2).fill(["offset", null]));
});

test("credit notes by hand that name no line leave the remainder of their invoice, also to reversals that are open", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const one = await charge(school);
  const invoice = await invoiced(school);
  const [first, second] = invoice.lines.map(({ id }: Body) => id);
  const lines = [{ line_id: first }, { line_id: second, net_minor: 5000 }];
  const drafted = await owner.post(`/finance/invoices/${invoice.id}/credit`, { reason: "Old.", lines });
  const { id } = expectStatus(201, drafted).body.data;
  expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
  await tenantOf(school).write((tx) =>
    tx.run(sql`update finance_invoice_lines set credits_line_id = null where invoice_id = ${id}`),
  );
  await reverseAsBefore(school, one);
  await migrate(school);
  // 150.00 of 200.00 were given back: the reversal of 100.00 gives back the other 50.00.
  const preview = expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data;
  const { invoices } = expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true })).body.data;
  expect(invoices).toMatchObject([{ net_minor: -5000, vat_minor: -950, gross_minor: -5950 }]);
  expect(preview.invoices).toMatchObject([{ net_minor: -5000, gross_minor: -5950 }]);
  const again = await owner.post(`/finance/invoices/${invoice.id}/credit`, { reason: "All." });
  expect(expectStatus(409, again).body.error.reason).toBe("line_credited");
});

test("a reversal for which nothing is left, from before an upgrade, is offset by the next run", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const one = await charge(school);
  const invoice = await invoiced(school);
  const drafted = await owner.post(`/finance/invoices/${invoice.id}/credit`, { reason: "Old." });
  const { id } = expectStatus(201, drafted).body.data;
  expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
  await tenantOf(school).write((tx) =>
    tx.run(sql`update finance_invoice_lines set credits_line_id = null where invoice_id = ${id}`),
  );
  await reverseAsBefore(school, one);
  await migrate(school);
  const { invoices } = expectStatus(200, await owner.post("/finance/invoice-runs", { until })).body.data;
  expect(invoices).toEqual([]);
  const [reversal] = (await owner.get("/finance/charges?status=offset")).body.data;
  expect(reversal).toMatchObject({ reverses_id: one.id, net_minor: -10_000 });
});
