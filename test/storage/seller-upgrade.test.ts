/** Upgrades a school whose invoices were sent when sellers had no number of a register. */
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

test("an upgrade gives sellers of sent invoices the numbers that identify them, which they did not state", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("register_number"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('sam', 'Sam', '["student"]', '[]', 0, ${at}, ${at})`);
    for (const [id, seller] of [
      ["draft", null],
      ["sent", '{"legal_name":"School"}'],
    ])
      await tx.run(sql`insert into finance_invoices (id, kind, status, person_id, currency, seller, net_minor, vat_minor,
          gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
        values (${id}, 'invoice', ${id}, 'sam', 'EUR', ${seller}, 0, 0, 0, '[]', 0, 0, 0, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const sellers = await file.read((reader) =>
    reader.values<[string | null]>(sql`select seller from finance_invoices order by id`),
  );
  expect(sellers.map(([seller]) => JSON.parse(seller ?? "null"))).toEqual([
    null,
    { legal_name: "School", register_number: null, approval_number: null },
  ]);
  await file.close();
});
