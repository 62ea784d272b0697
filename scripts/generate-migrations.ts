/**
 * Writes the SQL that brings existing databases to today's tables, and the index that embeds it.
 *
 *     npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed
 *     npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed control
 *
 * With `control` or `tenant`, that database gets a migration even if its tables have not changed: an empty file, for
 * statements written by hand. `snapshot.json` describes the tables after the last migration.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { tables } from "../src/modules.ts";

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

const name = process.argv[2] ?? "";
if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error("Name what changed: generate-migrations.ts flights_gain_fuel");

const byHand = process.argv[3];

for (const kind of ["control", "tenant"] as const) {
  const folder = join(import.meta.dirname, "../migrations", kind);
  const snapshot = Bun.file(join(folder, "snapshot.json"));
  const before: Snapshot = (await snapshot.exists()) ? await snapshot.json() : await generateSQLiteDrizzleJson({});
  const after = await generateSQLiteDrizzleJson({ ...tables[kind] }, before.id);
  const statements = await generateSQLiteMigration(before, after);
  if (statements.length === 0 && kind !== byHand) {
    console.log(`${kind}: nothing changed.`);
    continue;
  }
  const number = String((await migrationsIn(folder)).length).padStart(4, "0");
  const file = `${number}_${name}.sql`;
  await Bun.write(join(folder, file), statements.join("\n--> statement-breakpoint\n"));
  await Bun.write(snapshot, `${JSON.stringify(after, null, 2)}\n`);
  await writeIndex(kind, folder);
  console.log(`${kind}: wrote migrations/${kind}/${file}. Read it before you commit it.`);
}

async function migrationsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
}

async function writeIndex(kind: string, folder: string): Promise<void> {
  const files = await migrationsIn(folder);
  const imports = files.map((file, at) => `import m${at} from "./${file}" with { type: "text" };`);
  const list = files.map((_, at) => `m${at}`);
  const comment = "// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.";
  const name = `export const ${kind}Migrations: readonly string[] =`;
  const line = `${name} [${list.join(", ")}];`;
  const lines = `${name} [\n${list.map((one) => `  ${one},\n`).join("")}];`;
  const text = `${comment}\n${imports.join("\n")}\n\n${line.length <= 120 ? line : lines}\n`;
  await Bun.write(join(folder, "index.ts"), text);
}
