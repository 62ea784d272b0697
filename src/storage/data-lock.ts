import { join } from "node:path";
import Database from "libsql";

/** Somebody else has this data directory open. */
export class DataDirectoryLocked extends Error {
  override readonly name = "DataDirectoryLocked";
}

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
    throw new DataDirectoryLocked(
      `Another Windsock is using ${directory}. Stop it, or choose another WINDSOCK_DATA_DIR.`,
      {
        cause,
      },
    );
  }
  return {
    release() {
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
