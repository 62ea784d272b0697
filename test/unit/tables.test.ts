/** Migrations are generated from the modules' tables. No table may be missing, and no change may lack a migration. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { is, type SQL } from "drizzle-orm";
import { getTableConfig, SQLiteAsyncDialect, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../../src/modules.ts";
import { contradictions } from "../../src/storage/check/contradictions.ts";
import { jsonColumns } from "../../src/storage/check/invalid-json.ts";
import { storedFiles } from "../../src/storage/check/stored-files.ts";

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

test("the check of a file knows every table with stored files, and what it compares exists", () => {
  const columnsIn = new Map(
    Object.values(tables.tenant).flatMap((table) => {
      if (!is(table, SQLiteTable)) return [];
      const { name, columns } = getTableConfig(table);
      return [[name, columns.map((column) => column.name)]] satisfies [string, string[]][];
    }),
  );
  const withChunks = [...columnsIn].filter(([, columns]) => columns.includes("chunk_digests")).map(([name]) => name);
  // List them in src/storage/check/stored-files.ts.
  expect(withChunks.sort()).toEqual(storedFiles.map(({ table }) => table).sort());
  for (const { table, chunks, key, bytes } of storedFiles) {
    expect(columnsIn.get(table)).toEqual(expect.arrayContaining([...Object.values(key), bytes, "sha256"]));
    expect(columnsIn.get(chunks)).toEqual(expect.arrayContaining([...Object.keys(key), "position", "data"]));
  }
  // Without these, src/storage/check/contradictions.ts would compare nothing.
  for (const [table, columns] of contradictions.flatMap(({ needs }) => Object.entries(needs)))
    expect([table, columnsIn.get(table)]).toEqual([table, expect.arrayContaining([...columns])]);
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
    "finance_balances.person_id",
    "finance_charges.person_id",
    "finance_customers.id",
    "finance_entries.person_id",
    "finance_flights.named_payer_id",
    "finance_flights.payer_id",
    "finance_invoices.person_id",
    "finance_packages.person_id",
    "finance_payments.person_id",
    "finance_rates.instructor_id",
    "finance_rates.person_id",
    "finance_refunds.person_id",
    "flight_crew.person_id",
    "flight_flyers.person_id",
    "flights.supervisor_id",
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
    "revalidation_notices.person_id",
    "training_enrollments.student_id",
    "training_exams.student_id",
    "training_ground_sessions.instructor_id",
    "training_ground_sessions.student_id",
    "training_lesson_records.instructor_id",
    "training_lesson_records.student_id",
    "training_signoffs.instructor_id",
    "training_signoffs.student_id",
    "work_order_hours.person_id",
    "work_orders.release_person_id",
  ]);
});

/** Columns that refer to another table, and lead no index, with the reason why no deletion looks for them. */
const unindexed: Record<string, string> = {
  "evidence_packs.key_id": "Keys are never deleted.",
  "evidence_packs.superseded_by": "Only packs of an erased person are deleted: few, in a table with few rows.",
  "finance_charges.enrollment_id": "Enrollments are never deleted.",
  "finance_entries.invoice_id": "Invoices are never deleted.",
  "finance_entries.payment_id": "Payments are never deleted.",
  "finance_entries.refund_id": "Refunds are never deleted.",
  "finance_packages.aircraft_id": "Aircraft are never deleted.",
  "finance_rates.aircraft_id": "Aircraft are never deleted.",
  "finance_rates.instructor_id": "People are never deleted.",
  "finance_rates.person_id": "People are never deleted.",
  "finance_rates.program_id": "There are few rates.",
  "finance_refunds.person_id": "People are never deleted.",
  "handoff_tokens.session_id": "Tokens are valid for a minute, so there are few.",
  "mails.person_id": "People are never deleted.",
  "oauth_flows.user_id": "Accounts are never deleted.",
  "planning_wishes.instructor_id": "People are never deleted.",
  "planning_wishes.offered_aircraft_id": "Aircraft are never deleted.",
  "planning_wishes.offered_instructor_id": "People are never deleted.",
  "training_enrollments.revision_id": "Only a draft in which nobody was ever enrolled is deleted: seldom.",
};

test("every foreign key leads an index: SQLite looks for its rows when it deletes one of the other table", () => {
  const found = Object.values({ ...tables.control, ...tables.tenant }).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns, foreignKeys, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
    const nameOf = (column: unknown) => (is(column, SQLiteColumn) ? column.name : undefined);
    const leading = new Set([
      ...columns.filter(({ primary, isUnique }) => primary || isUnique).map(nameOf),
      ...[...primaryKeys, ...uniqueConstraints].map(({ columns }) => nameOf(columns[0])),
      ...indexes.flatMap(({ config }) => {
        const first = nameOf(config.columns[0]);
        return config.where === undefined || textOf(config.where).endsWith(`"${first}" is not null`) ? [first] : [];
      }),
    ]);
    const referring = foreignKeys.flatMap((key) => key.reference().columns.slice(0, 1).map(nameOf));
    return referring.filter((column) => !leading.has(column)).map((column) => `${name}.${column}`);
  });
  expect(found.sort()).toEqual(Object.keys(unindexed).sort());
});

const dialect = new SQLiteAsyncDialect();
const textOf = (condition: SQL) => dialect.sqlToQuery(condition).sql;

test.each(["control", "tenant"] as const)("the migrations of %s produce the present tables", async (kind) => {
  const before = await Bun.file(`${root}/migrations/${kind}/snapshot.json`).json();
  const missing = await generateSQLiteMigration(
    before,
    await generateSQLiteDrizzleJson({ ...tables[kind] }, before.id),
  );
  // Run `npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed`.
  expect(missing).toEqual([]);
});
