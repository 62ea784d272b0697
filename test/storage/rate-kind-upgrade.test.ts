/** Upgrades a school whose rates and charges have the kind `programme`, which is `program` now. */
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

test("an upgrade gives rates and charges of programs the kind `program`", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("= 'programme'"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('sam', 'Sam', '["student"]', '[]', 0, ${at}, ${at})`);
    for (const kind of ["landing", "programme"]) {
      await tx.run(sql`insert into finance_rates (id, kind, price_minor, currency, vat_category, vat_rate, valid_from,
          created_at, updated_at)
        values (${kind}, ${kind}, 100, 'EUR', 'zero', 0, '2026-01-01', ${at}, ${at})`);
      await tx.run(sql`insert into finance_charges (id, person_id, kind, status, rate_id, description, quantity, unit,
          unit_price_minor, price_per, currency, vat_category, vat_rate, net_minor, "on", created_at, updated_at)
        values (${kind}, 'sam', ${kind}, 'open', ${kind}, 'Text', 100, 'piece',
          100, 1, 'EUR', 'zero', 0, 100, '2026-01-01', ${at}, ${at})`);
    }
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  for (const table of [sql`finance_rates`, sql`finance_charges`]) {
    const kinds = await file.read((reader) =>
      reader.values<[string, string]>(sql`select id, kind from ${table} order by 1`),
    );
    expect(kinds.map(([id, kind]) => [id, kind])).toEqual([
      ["landing", "landing"],
      ["programme", "program"],
    ]);
  }
  await file.close();
});
