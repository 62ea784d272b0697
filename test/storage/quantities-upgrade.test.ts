/** Upgrades a school with packages and parts from before all quantities were decimal strings of one name. */
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

test("an upgrade keeps the minutes of packages as their quantity, and writes the quantities of parts as text", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("also those of parts"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  const parts = [
    { name: "Filter", part_number: null, quantity: 1 },
    { name: "Screw", part_number: "A-1", quantity: 9999 },
  ];
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('p', 'Ada', '["pilot"]', '[]', 0, ${at}, ${at})`);
    await tx.run(sql`insert into finance_packages (id, person_id, name, uses, minutes, remaining, price_minor, currency,
        vat_category, vat_rate, valid_from, created_at, updated_at)
      values ('hours', 'p', 'Hours', 'aircraft', 60050, 59990, 1, 'EUR', 'zero', 0, '2026-01-01', ${at}, ${at})`);
    await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      values ('a', 'D-EABC', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`);
    for (const [id, list] of [
      ["some", parts],
      ["none", []],
    ])
      await tx.run(sql`insert into work_orders (id, aircraft_id, title, status, parts, worked_minutes, created_at, updated_at)
        values (${id}, 'a', 'Annual', 'open', ${JSON.stringify(list)}, 0, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  const [hours] = await file.read((reader) =>
    reader.values<[number, number]>(sql`select quantity, remaining from finance_packages`),
  );
  expect([hours?.[0], hours?.[1]]).toEqual([60_050, 59_990]);
  const orders = await file.read((reader) =>
    reader.values<[string]>(sql`select parts from work_orders order by id desc`),
  );
  expect(orders.map(([text]) => JSON.parse(text))).toEqual([
    parts.map((part) => ({ ...part, quantity: `${part.quantity}.00` })),
    [],
  ]);
  await expect(file.write((tx) => tx.run(sql`update finance_packages set remaining = quantity + 1`))).rejects.toThrow();
  await file.close();
});
