/** VAT is computed once for each category and rate, on the sum of the nets (EN 16931, BR-CO-17): everywhere the same. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate, approvedFlight, previewOf } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const until = "2026-06-14";
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** Adds as many charges of 0.03 net. */
async function addCharges({ owner, student, installation, orgId }: School, count: number): Promise<void> {
  const body = { person_id: student.personId, description: "Minute", quantity: "1.00", unit: "piece" };
  const { id } = expectStatus(201, await owner.post("/finance/charges", { ...body, unit_price_minor: 3 })).body.data;
  const tenant = installation.storage.tenants.tenant(orgId as OrgId);
  const names = await tenant.read((reader) =>
    reader.values<[string]>(sql`select name from pragma_table_info('finance_charges') where name <> 'id'`),
  );
  const columns = sql.raw(names.map(([name]) => `"${name}"`).join(", "));
  await tenant.write((tx) =>
    tx.run(sql`insert into finance_charges (id, ${columns})
      with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${count})
      select substr(id, 1, 32) || printf('%04d', n), ${columns} from finance_charges cross join numbers
      where id = ${id} limit ${count - 1}`),
  );
}

test("190 lines of 0.03 owe 1.08 of VAT: in previews, drafts, accounts, invoices, documents, the journal and exports", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { email: "sam@example.com" }));
  await addCharges(school, 190);
  const get = async (path: string): Promise<Body> => expectStatus(200, await owner.get(path)).body.data;
  const owed = { net_minor: 570, vat_minor: 108, gross_minor: 678 };

  const { invoices } = await get(`/finance/invoice-runs/preview?until=${until}`);
  expect(invoices).toMatchObject([{ charges: 190, ...owed }]);
  const [open] = (await get(`/people/${student.personId}/account`)).balances;
  expect(open).toMatchObject({ open_charges_minor: 678, available_minor: -678 });

  const run = expectStatus(200, await owner.post("/finance/invoice-runs", { until })).body.data.invoices;
  expect(run).toMatchObject([{ charges: 190, ...owed }]);
  const id = run[0].invoice_id;
  const drafted = await get(`/finance/invoices/${id}`);
  const sent = expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
  for (const one of [drafted, sent]) {
    expect(one).toMatchObject(owed);
    expect(one.vat).toMatchObject([{ vat_rate: "19.00", net_minor: 570, vat_minor: 108 }]);
    const shares: number[] = one.lines.map(({ vat_minor }: Body) => vat_minor);
    expect([sum(shares), ...new Set(shares)].sort()).toEqual([0, 1, 108].sort());
  }
  const key = await school.apiKey("public.invoices:read");
  const open_invoice = expectStatus(200, await school.publicGet(`/invoices/${id}`, key)).body.data;
  expect(open_invoice).toMatchObject(owed);
  expect(sum(open_invoice.line_items.map(({ vat_minor }: Body) => vat_minor))).toBe(108);

  expect((await get("/finance/summaries"))[0].vat).toMatchObject([{ net_minor: 570, vat_minor: 108 }]);
  const journal = (await get("/finance/journal")).map(({ account, debit, credit }: Body) => [account, debit, credit]);
  expect(journal).toEqual([
    ["receivables", "6.78", "0.00"],
    ["revenue", "0.00", "5.70"],
    ["vat", "0.00", "1.08"],
  ]);
  const exported: Body[] = await get("/finance/invoices/export?limit=500");
  const cents = (name: string) => sum(exported.map((line) => Number(line[name].replace(".", ""))));
  expect(["net", "vat", "gross"].map(cents)).toEqual([570, 108, 678]);
  const xml = (await owner.get(`/finance/invoices/${id}/document?format=xrechnung`)).text;
  const amounts = [...xml.matchAll(/TaxAmount currencyID="EUR">([\d.]+)/g)].map(([, amount]) => amount);
  expect(amounts).toEqual(["1.08", "1.08"]);
}, 300_000);

test("VAT is rounded half away from zero, once for each rate, also of reductions and what is changed", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const line = (unit_price_minor: number, vat_rate: string) => ({
    ...{ description: "Map", quantity: "1.00", unit: "piece", unit_price_minor, vat_category: "standard", vat_rate },
  });
  const drafted = async (...lines: object[]): Promise<Body> =>
    expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, lines })).body.data;
  const half = await drafted(line(5, "5.00"), line(5, "5.00"), line(30, "5.00"));
  expect(half.vat).toMatchObject([{ net_minor: 40, vat_minor: 2 }]);
  const up = await drafted(line(5, "5.00"), line(5, "5.00"));
  expect([up.vat_minor, up.lines.map(({ vat_minor }: Body) => vat_minor)]).toEqual([1, [0, 1]]);
  expect((await drafted(line(-5, "5.00"), line(-5, "5.00"))).vat_minor).toBe(-1);
  const mixed = await drafted(line(3, "19.00"), line(3, "7.00"), line(3, "19.00"), line(-1, "19.00"));
  expect(mixed.vat.map(({ vat_rate, vat_minor }: Body) => [vat_rate, vat_minor])).toEqual([
    ["19.00", 1],
    ["7.00", 0],
  ]);
  const lines = [line(3, "19.00")];
  const changed = expectStatus(200, await owner.patch(`/finance/invoices/${mixed.id}`, { lines })).body.data;
  expect(changed).toMatchObject({ net_minor: 3, vat_minor: 1, lines: [{ vat_minor: 1 }] });
});

test("a line of a charge keeps its id and gets its share anew when lines by hand are replaced", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const usual = { description: "Map", quantity: "1.00", unit: "piece", unit_price_minor: 3 };
  for (const _ of [1, 2])
    expectStatus(201, await owner.post("/finance/charges", { person_id: student.personId, ...usual }));
  const body = { person_id: student.personId, until, lines: [usual] };
  const before: Body = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
  const after = expectStatus(200, await owner.patch(`/finance/invoices/${before.id}`, { lines: [usual, usual] })).body;
  const ids = (invoice: Body) => invoice.lines.slice(0, 2).map(({ id, charge_id }: Body) => [id, charge_id]);
  expect(ids(after.data)).toEqual(ids(before));
  expect(after.data.lines.map(({ vat_minor }: Body) => vat_minor)).toEqual([1, 0, 1, 0]);
});

test("a preview of a flight is what its invoice will owe", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId, price_minor: 3 });
  await addRate(school, { kind: "landing", price_minor: 3 });
  const { id } = await school.submitFlight(school.student, { blockMinutes: 60 });
  const preview = await previewOf(school, id);
  expect(preview).toMatchObject({ net_minor: 6, vat_minor: 1, gross_minor: 7 });
  expect(preview.lines.map(({ vat_minor, gross_minor }: Body) => [vat_minor, gross_minor])).toEqual([
    [1, 4],
    [0, 3],
  ]);
  await approvedFlight(school, { blockMinutes: 60 });
  const run = await school.owner.get("/finance/invoice-runs/preview?until=2099-01-01");
  expect(expectStatus(200, run).body.data.invoices[0]).toMatchObject({ net_minor: 6, vat_minor: 1, gross_minor: 7 });
});

test("a preview of a run divides charges between invoices as the run does", async () => {
  const school = await newSellingSchool();
  await addCharges(school, 201);
  const preview = expectStatus(200, await school.owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data;
  const run = expectStatus(200, await school.owner.post("/finance/invoice-runs", { until })).body.data;
  expect(run.invoices).toMatchObject([
    { charges: 200, net_minor: 600, vat_minor: 114 },
    { charges: 1, net_minor: 3, vat_minor: 1 },
  ]);
  expect(run.invoices.map((one: Body) => ({ ...one, invoice_id: null }))).toEqual(preview.invoices);
});
