/** Upgrades schools from before credits took back minutes of packages. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { newSellingSchool } from "../support/money.ts";
import { expectStatus, type School } from "../support/school.ts";

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
