/** Upgrades a school whose crews had no landings of their own. */
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

/** The functions of a crew in order, and who made the landings. */
const crews: [crew: string[], lands: number | null][] = [
  [["instructor", "dual"], 1],
  [["spic", "instructor"], 0],
  [["instructor", "dual", "dual"], 1],
  [["spic", "dual", "instructor"], 1],
  [["solo"], 0],
  [["co_pilot", "pic"], 1],
  [["pic", "picus"], 0],
  [["instructor"], 0],
  [["co_pilot"], null],
  [[], null],
];

test("an upgrade gives the landings of a flight to the student on instruction, else to the pilot", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => /flight_crew` ADD `day_landings/.test(text));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      values ('a', 'a', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`);
    for (const person of [0, 1, 2])
      await tx.run(sql`insert into people (id, name, types, ratings, status, restricted_instructor, created_at, updated_at)
        values (${`p${person}`}, 'P', '[]', '[]', 'active', 0, ${at}, ${at})`);
    for (const [flight, [crew]] of crews.entries()) {
      await tx.run(sql`insert into flights (id, status, revision, aircraft_id, day_landings, night_landings,
          night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
        values (${`f${flight}`}, 'approved', 1, 'a', 3, ${flight % 2}, 0, 0, '[]', 'u', ${at}, ${at})`);
      for (const [position, onBoard] of crew.entries())
        await tx.run(sql`insert into flight_crew (flight_id, position, person_id, function)
          values (${`f${flight}`}, ${position}, ${`p${position}`}, ${onBoard})`);
    }
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const rows = await file.read((reader) =>
    reader.values<[string, number, number, number]>(
      sql`select flight_id, position, day_landings, night_landings from flight_crew order by flight_id, position`,
    ),
  );
  expect(rows.map(([flight, ...landings]) => [flight, ...landings])).toEqual(
    crews.flatMap(([crew, lands], flight) =>
      crew.map((_, position) => [`f${flight}`, position, ...(position === lands ? [3, flight % 2] : [0, 0])]),
    ),
  );
  await file.close();
});
