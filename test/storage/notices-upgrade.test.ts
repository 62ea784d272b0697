/** Upgrades a school with records from before others than medicals had notices. */
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

test("an upgrade sets the next notice of people's current records that have not expired", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("CREATE TABLE `mails`"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('p', 'Ada', '["pilot"]', '[]', 0, ${at}, ${at})`);
    for (const [id, type, status, until] of [
      ["current", "sep", "current", "2099-03-31"],
      ["unlimited", "night", "current", null],
      ["expired", "tmg", "current", "2001-01-31"],
      ["superseded", "sep", "superseded", "2099-03-31"],
      ["medical", "medical", "current", "2099-03-31"],
    ])
      await tx.run(sql`
        insert into compliance_records (id, person_id, type, status, valid_until, issued_on, created_by, created_at, updated_at)
        values (${id}, 'p', ${type}, ${status}, ${until}, '2000-01-01', 'u', ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  const rows = await file.read((reader) =>
    reader.values<[string, string]>(
      sql`select id, next_notice_on from compliance_records where next_notice_on is not null`,
    ),
  );
  expect(rows.map(([id, on]) => [id, on])).toEqual([["current", "2099-03-01"]]);
  await file.close();
});
