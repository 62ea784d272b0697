/** Upgrades a school with invoices from when the VAT of each line was rounded. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import { TestClock } from "../support/clock.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
const at = "2026-01-01T00:00:00.000Z";
const standard = { vat_category: "standard", vat_rate: "19.00", vat_reason: null };

test("an upgrade rounds the VAT of drafts once for each rate, and leaves what was sent as it is", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("rounded once for each category"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('p', 'Ada', '["pilot"]', '[]', 0, ${at}, ${at})`);
    const vat = JSON.stringify([{ ...standard, net_minor: 9, vat_minor: 3 }]);
    for (const status of ["draft", "sent"]) {
      await tx.run(sql`insert into finance_invoices (id, kind, status, person_id, currency, net_minor, vat_minor,
          gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
        values (${status}, 'invoice', ${status}, 'p', 'EUR', 12, 3, 15, ${vat}, 0, 0, 0, ${at}, ${at})`);
      for (const [position, rate, category] of [
        [1, 1900, "standard"],
        [2, 0, "exempt"],
        [3, 1900, "standard"],
        [4, 1900, "standard"],
      ])
        await tx.run(sql`insert into finance_invoice_lines (id, invoice_id, position, description, "on", quantity, unit,
            unit_price_minor, price_per, vat_category, vat_rate, vat_reason, net_minor, vat_minor)
          values (${`${status} ${position}`}, ${status}, ${position}, 'Map', '2026-01-01', 100, 'piece', 3, 1, ${category},
            ${rate}, ${rate === 0 ? "§ 4" : null}, 3, ${rate === 0 ? 0 : 1})`);
    }
    await tx.run(sql`insert into finance_invoices (id, kind, status, person_id, currency, net_minor, vat_minor,
        gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
      values ('empty', 'invoice', 'draft', 'p', 'EUR', 0, 0, 0, '[]', 0, 0, 0, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  const invoices = await file.read((reader) =>
    reader.values<[string, number, number, string]>(sql`select id, vat_minor, gross_minor, vat from finance_invoices
      order by id`),
  );
  // Later migrations add the code of the reason.
  const uncoded = { vat_reason_code: null };
  expect(invoices.map(([id, vat, gross, subtotals]) => [id, vat, gross, JSON.parse(subtotals)])).toEqual([
    [
      ...["draft", 2, 14],
      [
        { ...standard, ...uncoded, net_minor: 9, vat_minor: 2 },
        { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 4", ...uncoded, net_minor: 3, vat_minor: 0 },
      ],
    ],
    ["empty", 0, 0, []],
    ["sent", 3, 15, [{ ...standard, ...uncoded, net_minor: 9, vat_minor: 3 }]],
  ]);
  const shares = await file.read((reader) =>
    reader.values<[string, string]>(sql`select invoice_id, group_concat(vat_minor, ' ') from (
      select * from finance_invoice_lines order by invoice_id, position) group by invoice_id`),
  );
  expect(shares.map(([id, vat]) => [id, vat])).toEqual([
    ["draft", "1 0 0 1"],
    ["sent", "1 0 1 1"],
  ]);
  await file.close();
});
