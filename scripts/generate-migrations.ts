/**
 * Writes the SQL that brings existing databases to today's tables, and the index that embeds it.
 *
 *     npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed
 *     npx -y bun@1.4.5 scripts/generate-migrations.ts what_changed control
 *
 * With `control` or `tenant`, that database gets a migration even if its tables have not changed: an empty file, for
 * statements written by hand.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { tables } from "../src/modules.ts";

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

const name = process.argv[2] ?? "";
if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error("Name what changed: generate-migrations.ts flights_gain_fuel");

const byHand = process.argv[3];

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

for (const kind of ["control", "tenant"] as const) {
  const folder = join(import.meta.dirname, "../migrations", kind);
  const journalPath = join(folder, "meta/_journal.json");
  const journal = (await Bun.file(journalPath).json()) as Journal;
  const number = (index: number) => String(index).padStart(4, "0");
  const last = journal.entries.length - 1;
  const before = (await Bun.file(join(folder, `meta/${number(last)}_snapshot.json`)).json()) as Snapshot;
  const after = await generateSQLiteDrizzleJson({ ...tables[kind] }, before.id);
  const statements = await generateSQLiteMigration(before, after);
  if (statements.length === 0 && kind !== byHand) {
    console.log(`${kind}: nothing changed.`);
    continue;
  }
  const tag = `${number(last + 1)}_${name}`;
  await Bun.write(join(folder, `${tag}.sql`), statements.join("\n--> statement-breakpoint\n"));
  await Bun.write(join(folder, `meta/${number(last + 1)}_snapshot.json`), pretty(after));
  journal.entries.push({ idx: last + 1, version: "6", when: Date.now(), tag, breakpoints: true });
  await Bun.write(journalPath, pretty(journal));
  await writeIndex(kind, folder);
  console.log(`${kind}: wrote migrations/${kind}/${tag}.sql. Read it before you commit it.`);
}

async function writeIndex(kind: string, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const imports = files.map((file, at) => `import m${at} from "./${file}" with { type: "text" };`);
  const list = files.map((_, at) => `\n  m${at},`).join("");
  const comment = "// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.";
  const text = `${comment}\n${imports.join("\n")}\n\nexport const ${kind}Migrations: readonly string[] = [${list}\n];\n`;
  await Bun.write(join(folder, "index.ts"), text);
}
