import type { Connection } from "./connection.ts";
import type { Kind } from "./store.ts";

/** SQL files in the order they apply: `migrations/<kind>/index.ts`, embedded by import. */
export type Migrations = readonly string[];

/** Written into byte 68 of every file, so that `file(1)`, and we, can tell what it is: "WndC" and "WndT". */
export const applicationId: Record<Kind, number> = { control: 0x576e6443, tenant: 0x576e6454 };

/** A file that is none of ours, or that a newer program has already migrated. */
export class WrongFile extends Error {
  override readonly name = "WrongFile";
}

/**
 * Brings an open database up to date. `user_version` counts the migrations applied; each is one transaction that moves
 * the count with it, so that a crash leaves the file at one version or the next.
 *
 * @param fresh the file may have been made just now: an empty one is claimed
 * @throws WrongFile another application's, or newer than this program
 */
export async function migrate(
  connection: Connection,
  kind: Kind,
  migrations: Migrations,
  fresh = false,
): Promise<void> {
  const version = await pragma(connection, "user_version");
  const id = await pragma(connection, "application_id");
  if (fresh && id === 0 && version === 0 && (await isEmpty(connection))) {
    await connection.execute("PRAGMA journal_mode = WAL");
  } else if (id !== applicationId[kind]) {
    throw new WrongFile(`application_id is ${id}, not ${applicationId[kind]}: not a ${kind} database of Windsock`);
  }
  if (version > migrations.length) {
    throw new WrongFile(
      `schema version ${version} is newer than this program's ${migrations.length}: upgrade Windsock`,
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    await connection.migrate([
      ...statements(sql),
      `PRAGMA application_id = ${applicationId[kind]}`,
      `PRAGMA user_version = ${index + 1}`,
    ]);
  }
  // The lone `.db` file is whole at once: a school that is only read is not checkpointed again.
  if (version < migrations.length) await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Most applications leave both numbers at 0; their tables tell. */
async function isEmpty(connection: Connection): Promise<boolean> {
  const { rows } = await connection.execute("select 1 from sqlite_master limit 1");
  return rows.length === 0;
}

export async function pragma(connection: Connection, name: "user_version" | "application_id"): Promise<number> {
  const { rows } = await connection.execute(`PRAGMA ${name}`);
  return Number(rows[0]?.[0]);
}

/** drizzle-kit parts the statements of one file with this mark. */
const statements = (sql: string): string[] =>
  sql.split("--> statement-breakpoint").filter((part) => part.trim() !== "");
