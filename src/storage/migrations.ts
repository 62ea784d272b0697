import type { Connection } from "./connection.ts";
import type { Kind } from "./store.ts";

/** SQL files in the order in which they apply: `migrations/<kind>/index.ts`, embedded by import. */
export type Migrations = readonly string[];

/** SQLite's `application_id`, at byte 68 of every file, identifies the file, also for `file(1)`: "WndC" and "WndT". */
export const applicationId: Record<Kind, number> = { control: 0x576e6443, tenant: 0x576e6454 };

/** A file of another application, or one that a newer version has migrated. */
export class WrongFile extends Error {
  override readonly name = "WrongFile";
}

/** The end of the message about a file that a newer program has migrated. */
export const upgradeFirst = "upgrade Windsock";

/** Returns why the program does not open a database with these two numbers; `undefined` if it does. */
export function wrongFile(kind: Kind, id: number, version: number, newest: number): string | undefined {
  if (id !== applicationId[kind])
    return `application_id is ${id}, not ${applicationId[kind]}: not a ${kind} database of Windsock`;
  if (version > newest) return `schema version ${version} is newer than this program's ${newest}: ${upgradeFirst}`;
  return undefined;
}

/**
 * Migrates an open database. `user_version` counts the migrations applied. All that are missing are one transaction, which
 * also sets the count: a crash or a migration that fails leaves the file as it was.
 *
 * @param fresh the file may be new: an empty file becomes a Windsock database
 * @throws WrongFile the file is another application's, or newer than this program
 */
export async function migrate(
  connection: Connection,
  kind: Kind,
  migrations: Migrations,
  fresh = false,
): Promise<void> {
  const version = await pragma(connection, "user_version");
  const id = await pragma(connection, "application_id");
  const isNew = fresh && id === 0 && version === 0 && (await isEmpty(connection));
  const wrong = isNew ? undefined : wrongFile(kind, id, version, migrations.length);
  if (wrong !== undefined) throw new WrongFile(`${connection.path}: ${wrong}`);
  // A copy by VACUUM INTO is not in WAL mode.
  await connection.execute("PRAGMA journal_mode = WAL");
  if (version === migrations.length) return;
  await connection.migrate([
    ...migrations.slice(version).flatMap(statementsOf),
    `PRAGMA application_id = ${applicationId[kind]}`,
    `PRAGMA user_version = ${migrations.length}`,
  ]);
  // Now, because a tenant that is only read is not checkpointed later.
  await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Checks the tables: most applications leave both numbers at 0. */
export async function isEmpty(connection: Connection): Promise<boolean> {
  const { rows } = await connection.execute("select 1 from sqlite_master limit 1");
  return rows.length === 0;
}

export async function pragma(connection: Connection, name: "user_version" | "application_id"): Promise<number> {
  const { rows } = await connection.execute(`PRAGMA ${name}`);
  return Number(rows[0]?.[0]);
}

/** drizzle-kit separates the statements of one file with this mark. */
export const statementsOf = (sql: string): string[] =>
  sql.split("--> statement-breakpoint").filter((part) => part.trim() !== "");
