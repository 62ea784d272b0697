/** Upgrades a school with programs from before the first flights alone were marked, and before classes were named. */
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

test("an upgrade marks the first solos of built-in syllabi, and their minima count aeroplanes and TMG", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("ADD `milestone`"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    for (const kind of ["ppl_a", "lapl_a", "night"]) {
      await tx.run(sql`insert into training_programs (id, kind, name, created_at, updated_at)
        values (${kind}, ${kind}, ${kind}, ${at}, ${at})`);
      await tx.run(sql`insert into training_revisions
        (id, program_id, number, status, legal_basis, effective_from, skill_test, subjects, minima, scales, phases, created_at, updated_at)
        values (${kind}, ${kind}, 1, 'published', 'x', '2020-04-08', 1, '[]', '[]', '[]', '[]', ${at}, ${at})`);
      for (const [position, [code, lessonKind]] of [
        ["14", "solo"],
        ["18S", "solo"],
        ["13", "dual"],
      ].entries()) {
        const id = `${kind} ${code}`;
        await tx.run(sql`insert into training_lessons (id, revision_id, position, code, name, kind, requires)
          values (${id}, ${kind}, ${position}, ${code}, 'x', ${lessonKind}, '[]')`);
        for (const item of ["1", "2"])
          await tx.run(sql`insert into training_items (id, revision_id, lesson_id, position, lesson_code, code, name, scale)
            values (${`${id} ${item}`}, ${kind}, ${id}, ${item}, ${code}, ${item}, 'x', 'usual')`);
      }
    }
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  const marked = await file.read((reader) =>
    reader.values<[string, string]>(
      sql`select id, milestone from training_items where milestone is not null order by id`,
    ),
  );
  expect(marked.map((row) => [...row])).toEqual([
    ["lapl_a 14 1", "first_solo"],
    ["lapl_a 18S 1", "first_solo_cross_country"],
    ["ppl_a 14 1", "first_solo"],
    ["ppl_a 18S 1", "first_solo_cross_country"],
  ]);
  const classes = await file.read((reader) =>
    reader.values<[string, string | null]>(sql`select id, aircraft_classes from training_revisions order by id`),
  );
  const aeroplanes = '["SEP","MEP","TMG","SET"]';
  expect(classes.map((row) => [...row])).toEqual([
    ["lapl_a", aeroplanes],
    ["night", null],
    ["ppl_a", aeroplanes],
  ]);
  await file.close();
});
