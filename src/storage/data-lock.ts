import { join } from "node:path";
import Database from "libsql";
import { fileIdentity } from "./file-identity.ts";
import { privateFile } from "./private-files.ts";
import { isDiskFull, sqliteCode } from "./sqlite-error.ts";

/** Another process uses the data. A standby waits for its end. */
export class DataInUse extends Error {}

/** Another process has this data directory open. */
export class DataDirectoryLocked extends DataInUse {
  override readonly name = "DataDirectoryLocked";

  constructor(directory: string, cause?: unknown) {
    super(`Another Windsock is using ${directory}. Stop it, or choose another WINDSOCK_DATA_DIR.`, { cause });
  }
}

/** References to held locks: garbage collection would otherwise close them. */
const held = new Set<InstanceType<typeof Database>>();

export interface DataLock {
  /**
   * Locks `lock.db` again if it was removed: a lock on a file without a name keeps no other process out.
   *
   * @throws DataDirectoryLocked another process was faster
   */
  renew(): Promise<void>;
  release(): void;
}

/**
 * Locks a data directory for this process: two writers of one WAL file can corrupt it. The lock is an exclusive transaction
 * on `lock.db`. The kernel releases it when the process ends, and unlike a pid file it can't be stale.
 *
 * @throws DataDirectoryLocked another process holds it
 */
export async function lockDataDirectory(directory: string): Promise<DataLock> {
  const path = join(directory, "lock.db");
  const lockFile = async () => {
    await privateFile(path);
    return { database: lockOf(path, directory), identity: fileIdentity(path) };
  };
  let current = await lockFile();
  held.add(current.database);
  const release = () => {
    held.delete(current.database);
    current.database.exec("ROLLBACK");
    current.database.close();
  };
  return {
    async renew() {
      if (fileIdentity(path) === current.identity) return;
      const renewed = await lockFile();
      release();
      current = renewed;
      held.add(current.database);
    },
    release,
  };
}

/** Returns whether no process holds the lock. It creates nothing. @throws if the lock file can't be read */
export async function isDataDirectoryFree(directory: string): Promise<boolean> {
  if (fileIdentity(join(directory, "lock.db")) === undefined) return true;
  try {
    (await lockDataDirectory(directory)).release();
    return true;
  } catch (error) {
    if (error instanceof DataDirectoryLocked) return false;
    throw error;
  }
}

/** What a waiting standby holds. Of several, one does. */
const standbyPath = (directory: string): string => join(directory, "standby.db");

/**
 * Lets the server that has the data know that this process waits for it, until the result is called or the process ends: a lock, as that
 * on `lock.db`, so it can't be stale.
 *
 * @returns undefined if another process waits already
 */
export async function noteStandby(directory: string): Promise<(() => void) | undefined> {
  const path = standbyPath(directory);
  await privateFile(path);
  try {
    const database = lockOf(path, directory);
    held.add(database);
    return () => {
      held.delete(database);
      database.exec("ROLLBACK");
      database.close();
    };
  } catch (error) {
    if (error instanceof DataDirectoryLocked) return undefined;
    throw error;
  }
}

/** Returns whether another process waits for the data. Creates nothing. */
export async function hasStandby(directory: string): Promise<boolean> {
  if (fileIdentity(standbyPath(directory)) === undefined) return false;
  const release = await noteStandby(directory);
  release?.();
  return release === undefined;
}

function lockOf(path: string, directory: string): InstanceType<typeof Database> {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (cause) {
    database.close();
    if (isDiskFull(cause)) throw cause;
    if (sqliteCode(cause) !== "SQLITE_BUSY")
      throw new Error(`${path} can't be locked. It has no data: remove it.`, { cause });
    throw new DataDirectoryLocked(directory, cause);
  }
}
