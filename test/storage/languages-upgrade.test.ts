/** Upgrades a school whose invoices were sent when all documents were in English. */
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

test("after an upgrade what was sent is in English, and drafts have no language yet", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("`finance_invoices` ADD `language`"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('sam', 'Sam', '["student"]', '[]', 0, ${at}, ${at})`);
    await tx.run(sql`insert into finance_customers (id, created_at, updated_at) values ('sam', ${at}, ${at})`);
    await tx.run(sql`insert into finance_settings (id, vat_category, vat_rate, payment_days, invoice_series,
      credit_note_series, updated_at) values (1, 'standard', 1900, 14, 'INV', 'CN', ${at})`);
    for (const [id, number] of [
      ["draft", null],
      ["sent", "INV-2026-00001"],
      ["void", "INV-2026-00002"],
    ])
      await tx.run(sql`insert into finance_invoices (id, kind, status, person_id, currency, number, net_minor, vat_minor,
          gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
        values (${id}, 'invoice', ${id}, 'sam', 'EUR', ${number}, 0, 0, 0, '[]', 0, 0, 0, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const languages = await file.read((reader) =>
    reader.values<[string, string | null]>(sql`select id, language from finance_invoices
      union all select 'customer', language from finance_customers
      union all select 'settings', language from finance_settings order by 1`),
  );
  expect(Object.fromEntries(languages.map((row) => [...row]))).toEqual({
    customer: null,
    draft: null,
    sent: "en",
    settings: "en",
    void: "en",
  });
  await file.close();
});
