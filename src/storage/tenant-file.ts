import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Connection } from "./connection.ts";
import { type Migrations, migrate } from "./migrations.ts";

/** Where the files of one tenant are. The `-wal` and `-shm` files exist beside the `.db` while it is open. */
export const tenantPath = (directory: string, id: string): string => join(directory, `${id}.db`);

/** Whether a file's name is one that is given here to what is half made; other `.tmp` files are none of ours. */
export const isTemporary = (name: string): boolean => /^(template-\d+|[0-9a-f-]{36}\.db)\.tmp$/.test(name);

export const removeDatabase = async (path: string): Promise<void> => {
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
};

/**
 * Makes an empty, migrated database and returns its bytes: copying them takes a thousandth of the time that running
 * the migrations again would. The file itself is gone afterwards.
 */
export async function makeTemplate(directory: string, migrations: Migrations): Promise<Buffer> {
  const path = join(directory, `template-${process.pid}.tmp`);
  await removeDatabase(path);
  const connection = new Connection(path, "write");
  await migrate(connection, "tenant", migrations, true);
  await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
  const file = await open(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
    await removeDatabase(path);
  }
}

/**
 * Puts `bytes` at `path` so that a crash leaves either nothing there or all of it: written under another name, synced,
 * renamed, and the folder synced.
 */
export async function placeFile(
  path: string,
  bytes: Buffer,
  step: (name: string) => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  step("tenant file: written");
  await rename(temporary, path);
  const folder = await open(join(path, ".."));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  step("tenant file: renamed");
}
