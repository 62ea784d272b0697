/** Whether a file is the database that belongs under its name. The program refuses another one when it opens it. */
import { Connection } from "../connection.ts";
import { isEmpty, migrate, pragma, wrongFile } from "../migrations.ts";
import { migrationsOf } from "../migrations-of.ts";
import type { Kind } from "../store.ts";
import type { Expected } from "./messages.ts";

/** Returns why this is not the expected database; empty if it is. */
export async function otherFile(connection: Connection, { kind }: Expected): Promise<string[]> {
  const [id, version] = [await pragma(connection, "application_id"), await pragma(connection, "user_version")];
  // The start decides about an empty control database.
  if (kind === "control" && id === 0 && version === 0 && (await isEmpty(connection))) return [];
  const fault = wrongFile(kind, id, version, migrationsOf[kind].length);
  return fault === undefined ? [] : [fault];
}

/** Returns the tables and columns of the file's schema version that it lacks, and what is wrong with its row in `meta`. */
export async function missingParts(connection: Connection, expected: Expected): Promise<string[]> {
  const version = await pragma(connection, "user_version");
  const found = await columnsOf(connection);
  const missing: string[] = [];
  for (const [table, columns] of await schemaOf(expected.kind, version)) {
    const present = found.get(table);
    if (present === undefined) missing.push(`the table ${table} is missing`);
    else for (const name of columns) if (!present.has(name)) missing.push(`the column ${table}.${name} is missing`);
  }
  if (expected.kind === "control" || !found.has("meta")) return missing;
  const [owner] = connection.first("select cast(org_id as blob) from meta", []) ?? [];
  if (owner === undefined) return expected.isNew ? missing : [...missing, "the table meta has no row"];
  const id = owner instanceof Uint8Array || owner instanceof ArrayBuffer ? Buffer.from(owner as Uint8Array) : owner;
  return String(id) === expected.orgId ? missing : [...missing, `it belongs to the organization ${String(id)}`];
}

type Schema = ReadonlyMap<string, ReadonlySet<string>>;

/** By kind and version. */
const schemas = new Map<string, Promise<Schema>>();

/** Returns the columns of each table after the first `version` migrations. */
function schemaOf(kind: Kind, version: number): Promise<Schema> {
  const key = `${kind} ${version}`;
  const known = schemas.get(key) ?? migratedSchema(kind, version);
  schemas.set(key, known);
  return known;
}

async function migratedSchema(kind: Kind, version: number): Promise<Schema> {
  const connection = new Connection(":memory:", "write");
  try {
    await migrate(connection, kind, migrationsOf[kind].slice(0, version), true);
    return await columnsOf(connection);
  } finally {
    connection.close();
  }
}

async function columnsOf(connection: Connection): Promise<Schema> {
  const { rows } = await connection.execute(
    "select t.name, c.name from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'",
  );
  const found = new Map<string, Set<string>>();
  for (const [table, column] of rows.map((row) => Array.from(row, String))) {
    if (table === undefined || column === undefined || table.startsWith("sqlite_")) continue;
    found.set(table, (found.get(table) ?? new Set()).add(column));
  }
  return found;
}
