/** Upgrades a school whose flights were posted before aircraft counted landings. */
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

test("an upgrade counts the landings of the flights that were posted before", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("opening_landings"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    for (const id of ["flown", "parked"])
      await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
          airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
        values (${id}, ${id}, 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`);
    for (const [id, day, night] of [
      ["approved", 3, 1],
      ["reversed", 5, 0],
      ["draft", 7, 0],
    ])
      await tx.run(sql`insert into flights (id, status, revision, aircraft_id, day_landings, night_landings,
          night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
        values (${id}, ${id}, 1, 'flown', ${day}, ${night}, 0, 0, '[]', 'a', ${at}, ${at})`);
    for (const [flight, kind] of [
      ["approved", "approval"],
      ["reversed", "approval"],
      ["reversed", "reversal"],
    ])
      await tx.run(sql`insert into counter_postings (flight_id, kind, aircraft_id, hobbs, tacho, airframe_minutes, posted_at)
        values (${flight}, ${kind}, 'flown', 0, 0, 0, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const postings = await file.read((reader) =>
    reader.values<[string, string, number]>(sql`select flight_id, kind, landings from counter_postings order by 1, 2`),
  );
  expect(postings.map(([flight, kind, landings]) => [flight, kind, landings])).toEqual([
    ["approved", "approval", 4],
    ["reversed", "approval", 5],
    ["reversed", "reversal", -5],
  ]);
  const aircraft = await file.read((reader) =>
    reader.values<[string, number, number]>(sql`select id, landings, opening_landings from aircraft order by 1`),
  );
  expect(aircraft.map(([id, landings, opening]) => [id, landings, opening])).toEqual([
    ["flown", 4, 0],
    ["parked", 0, 0],
  ]);
  await file.close();
});
