/** Upgrades a school whose flights were approved before there were logbooks. */
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

test("an upgrade puts the flights that are approved into logbooks", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("logged_at"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, restricted_instructor, created_at, updated_at)
      values ('ada', 'Ada', '["pilot"]', '[]', 0, ${at}, ${at})`);
    await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      values ('eabc', 'D-EABC', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`);
    for (const id of ["approved", "reversed", "submitted"]) {
      await tx.run(sql`insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings, night_landings,
          night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
        values (${id}, ${id}, 1, 'eabc', ${at}, 1, 0, 0, 0, '[]', 'a', ${at}, ${at})`);
      await tx.run(
        sql`insert into flight_crew (flight_id, position, person_id, function) values (${id}, 0, 'ada', 'pic')`,
      );
    }
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const crew = await file.read((reader) =>
    reader.values<[string, string | null]>(sql`select flight_id, logged_at from flight_crew order by 1`),
  );
  expect(crew.map(([flight, logged]) => [flight, logged])).toEqual([
    ["approved", at],
    ["reversed", null],
    ["submitted", null],
  ]);
  await file.close();
});
