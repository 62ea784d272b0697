import { join } from "node:path";
import Database from "libsql";
import { sqliteCode } from "./sqlite-error.ts";

/** Somebody else has this data directory open. */
export class DataDirectoryLocked extends Error {
  override readonly name = "DataDirectoryLocked";
}

/** Kept here until they are released: a lock that nothing refers to would go with the next garbage collection. */
const held = new Set<InstanceType<typeof Database>>();

/**
 * Keeps every other process out of a data directory: two writers of one WAL file can corrupt it. The lock is an
 * exclusive transaction on `lock.db`, held for life: the kernel frees it at death, and no process id can lie.
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
      throw new Error(`${path} can't be locked. It holds nothing: remove it.`, { cause });
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
