/** Upgrades a school whose crews had no copies of their flights' values. */
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

test("an upgrade copies what lists of own flights are ordered and filtered by to the crews", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("flight_crew_listed"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into people (id, name, types, ratings, status, restricted_instructor, created_at, updated_at)
      values ('ada', 'Ada', '["pilot"]', '[]', 'active', 0, ${at}, ${at})`);
    await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      values ('eabc', 'D-EABC', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`);
    for (const [id, offBlock, remarks] of [
      ["approved", at, null],
      ["draft", null, "The left brake feels soft."],
    ] as const) {
      await tx.run(sql`insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings, night_landings,
          night_minutes, ifr_minutes, workshop_remarks, warnings, created_by, created_at, updated_at)
        values (${id}, ${id}, 1, 'eabc', ${offBlock}, 1, 0, 0, 0, ${remarks}, '[]', 'a', ${at}, ${at})`);
      await tx.run(sql`insert into flight_crew (flight_id, position, person_id, function)
        values (${id}, 0, 'ada', 'pic')`);
    }
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const crew = await file.read((reader) =>
    reader.values(sql`select status, off_block_at, aircraft_id, has_workshop_remarks from flight_crew order by 1`),
  );
  expect(crew.map((row) => [...(row as unknown[])])).toEqual([
    ["approved", at, "eabc", 0],
    ["draft", "", "eabc", 1],
  ]);
  await file.close();
});
