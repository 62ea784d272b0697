import { join } from "node:path";
import Database from "libsql";
import { sqliteCode } from "./sqlite-error.ts";

/** Another process has this data directory open. */
export class DataDirectoryLocked extends Error {
  override readonly name = "DataDirectoryLocked";
}

/** References to held locks: garbage collection would otherwise close them. */
const held = new Set<InstanceType<typeof Database>>();

/**
 * Locks a data directory for this process: two writers of one WAL file can corrupt it. The lock is an exclusive transaction
 * on `lock.db`. The kernel releases it when the process ends, and unlike a pid file it can't be stale.
 *
 * @throws DataDirectoryLocked another process holds it
 */
export function lockDataDirectory(directory: string): { release(): void } {
  const database = new Database(join(directory, "lock.db"), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    const path = join(directory, "lock.db");
    if (sqliteCode(cause) !== "SQLITE_BUSY")
      throw new Error(`${path} can't be locked. It has no data: remove it.`, { cause });
    throw new DataDirectoryLocked(
      `Another Windsock is using ${directory}. Stop it, or choose another WINDSOCK_DATA_DIR.`,
      { cause },
    );
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
