import Database from "libsql";

/**
 * Removes the `-wal` file of a database that no connection has open, and moves its rows to the database. It is left behind when the last
 * connection that closed could not write, such as that of a backup or a check in another process: the last one that can removes it.
 */
export function removeUnusedWal(path: string): void {
  const database = new Database(path, { timeout: 0 });
  try {
    // A connection opens its files when it reads. Nothing here is kept open by a statement that is not collected.
    database.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1; COMMIT");
  } catch {
    // It is in use, or damaged: the file stays.
  } finally {
    database.close();
  }
}
