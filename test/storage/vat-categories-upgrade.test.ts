/** Upgrades a school whose VAT had three categories, and no codes of reasons. */
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
const standard = { vat_category: "standard", vat_rate: "19.00", vat_reason: null, net_minor: 100, vat_minor: 19 };
const exempt = { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 4", net_minor: 50, vat_minor: 0 };

test("an upgrade gives the sums of invoices no code of a reason, and their buyers no number of a register", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("vat_reason_code"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('sam', 'Sam', '["student"]', '[]', 0, ${at}, ${at})`);
    for (const [id, buyer, vat] of [
      ["draft", null, []],
      ["sent", '{"name":"Sam","vat_id":null}', [standard, exempt]],
    ] as const)
      await tx.run(sql`insert into finance_invoices (id, kind, status, person_id, currency, buyer, net_minor, vat_minor,
          gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
        values (${id}, 'invoice', ${id}, 'sam', 'EUR', ${buyer}, 150, 19, 169, ${JSON.stringify(vat)}, 0, 0, 0, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const invoices = await file.read((reader) =>
    reader.values<[string | null, string, string | null]>(sql`select buyer, vat, deliver_to from finance_invoices
      order by id`),
  );
  const read = invoices.map(([buyer, vat, place]) => [JSON.parse(buyer ?? "null"), JSON.parse(vat), place]);
  expect(read).toEqual([
    [null, [], null],
    [
      { name: "Sam", vat_id: null, register_number: null },
      [standard, exempt].map((one) => ({ ...one, vat_reason_code: null })),
      null,
    ],
  ]);
  await file.close();
});
