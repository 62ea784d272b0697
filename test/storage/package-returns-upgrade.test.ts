/** Upgrades schools from before credits took back minutes of packages. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import { TestClock } from "../support/clock.ts";
import { newSellingSchool } from "../support/money.ts";
import { expectStatus, type School } from "../support/school.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const before = tenantMigrations.findIndex((text) => text.includes("The credit note that ended a package"));
const [ender = ""] = (tenantMigrations[before] ?? "")
  .split("--> statement-breakpoint")
  .filter((text) => text.includes("UPDATE `finance_packages`"));

const tenantOf = ({ installation, orgId }: School) => installation.storage.tenants.tenant(orgId as OrgId);

/** Sells a package, and sends its invoice. */
async function billedPackage({ owner, student }: School) {
  const { personId: person_id } = student;
  const hours = { name: "1 hour", uses: "aircraft", quantity: "60.00", price_minor: 10_000 };
  const { id } = expectStatus(201, await owner.post("/finance/packages", { person_id, ...hours })).body.data;
  const charges = expectStatus(200, await owner.get("/finance/charges?limit=500")).body.data;
  const sale = charges.find((one: { package_id: string }) => one.package_id === id);
  const drafted = await owner.post("/finance/invoices", { person_id, charge_ids: [sale.id] });
  const { id: invoice } = expectStatus(201, drafted).body.data;
  expectStatus(200, await owner.post(`/finance/invoices/${invoice}/send`));
  return { id, sale: sale.id, invoice };
}

test("a package that a credit note ended before an upgrade is usable again when its draft is voided, a reversed one is not", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const [credited, reversed] = [await billedPackage(school), await billedPackage(school)];
  const credit = async (invoice: string) =>
    expectStatus(201, await owner.post(`/finance/invoices/${invoice}/credit`, { reason: "All." })).body.data.id;
  const notes = [await credit(credited.invoice), await credit(reversed.invoice)];
  expectStatus(200, await owner.post(`/finance/charges/${reversed.sale}/reverse`, { reason: "Not wanted." }));
  await tenantOf(school).write(async (tx) => {
    await tx.run(sql`update finance_packages set ended_by = null, remaining = quantity, returned = 0`);
    await tx.run(sql`update finance_invoice_lines set returned = null`);
    await tx.run(sql.raw(ender));
  });
  for (const note of notes)
    expectStatus(200, await owner.post(`/finance/invoices/${note}/void`, { reason: "Not given." }));
  const standing = async ({ id }: { id: string }) => {
    const { remaining, returned, voided_at } = expectStatus(200, await owner.get(`/finance/packages/${id}`)).body.data;
    return [remaining, returned, voided_at !== null];
  };
  expect(await standing(credited)).toEqual(["60.00", "0.00", false]);
  expect(await standing(reversed)).toEqual(["60.00", "0.00", true]);
});

test("an upgrade declares the evaluations of older rules out of date", async () => {
  const path = join(await newDirectory(), "school.db");
  const at = "2026-01-01T00:00:00.000Z";
  const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, status, restricted_instructor, created_at, updated_at)
      values ('ada', 'Ada', '["pilot"]', '[]', 'active', 0, ${at}, ${at})`);
    await tx.run(sql`insert into compliance_evaluations (id, person_id, status, reasons, changes_on, evaluated_at)
      values ('e', 'ada', 'compliant', '[]', null, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  const rows = await file.read((reader) => reader.values<[string]>(sql`select changes_on from compliance_evaluations`));
  expect(rows.map(([day]) => day)).toEqual(["1970-01-01"]);
  await file.close();
});
