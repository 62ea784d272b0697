/** Migrations are generated from the modules' tables. No table may be missing, and no change may lack a migration. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../../src/modules.ts";
import { jsonColumns } from "../../src/storage/check/invalid-json.ts";

const root = `${import.meta.dir}/../..`;

test("every table of a *.tables.ts file is listed for a database", async () => {
  const listed = new Set([...Object.values(tables.control), ...Object.values(tables.tenant)]);
  const forgotten: string[] = [];
  for await (const file of new Glob("src/**/*.tables.ts").scan(root)) {
    const exported: Record<string, unknown> = await import(`${root}/${file}`);
    for (const [name, value] of Object.entries(exported))
      if (is(value, SQLiteTable) && !listed.has(value))
        forgotten.push(`${file}: ${name}. List it in its module's \`tables\`.`);
  }
  expect(forgotten).toEqual([]);
});

test("the check of a file knows every column of JSON", () => {
  const missing: string[] = [];
  for (const table of [...Object.values(tables.control), ...Object.values(tables.tenant)]) {
    if (!is(table, SQLiteTable)) continue;
    const { name, columns } = getTableConfig(table);
    for (const column of columns)
      if (column.dataType === "json" && !jsonColumns[name]?.includes(column.name))
        missing.push(`${name}.${column.name}`);
  }
  // List them in src/storage/check/invalid-json.ts.
  expect(missing).toEqual([]);
});

test("every column that names a person is known to the export and the erasure", () => {
  const found = Object.values(tables.tenant).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns, foreignKeys } = getTableConfig(table);
    const referring = foreignKeys
      .map((key) => key.reference())
      .filter(({ foreignTable }) => getTableConfig(foreignTable).name === "people")
      .flatMap((key) => key.columns.map((column) => column.name));
    const named = columns.map((column) => column.name).filter((column) => column === "person_id");
    return [...new Set([...referring, ...named])].map((column) => `${name}.${column}`);
  });
  // A new one belongs into a module's `personal` (src/storage/personal-data.ts), and then into this list.
  expect(found.sort()).toEqual([
    "compliance_evaluations.person_id",
    "compliance_records.person_id",
    "evidence_packs.person_id",
    "flight_crew.person_id",
    "flight_flyers.person_id",
    "former_links.person_id",
    "logbook_openings.id",
    "mails.person_id",
    "people.supervisor_id",
    "planning_absences.person_id",
    "planning_hours.person_id",
    "planning_sessions.instructor_id",
    "planning_wishes.instructor_id",
    "planning_wishes.offered_instructor_id",
    "planning_wishes.person_id",
    "training_enrollments.student_id",
    "training_exams.student_id",
    "training_ground_sessions.instructor_id",
    "training_ground_sessions.student_id",
    "training_signoffs.instructor_id",
    "training_signoffs.student_id",
  ]);
});

test.each(["control", "tenant"] as const)("the migrations of %s produce the present tables", async (kind) => {
  const folder = `${root}/migrations/${kind}/meta`;
  const { entries } = await Bun.file(`${folder}/_journal.json`).json();
  const last = String(entries.length - 1).padStart(4, "0");
  const before = await Bun.file(`${folder}/${last}_snapshot.json`).json();
  const missing = await generateSQLiteMigration(
    before,
    await generateSQLiteDrizzleJson({ ...tables[kind] }, before.id),
  );
  // Run `npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed`.
  expect(missing).toEqual([]);
});
