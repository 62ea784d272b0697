import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Connection } from "./connection.ts";
import { type Migrations, migrate } from "./migrations.ts";

/** Returns the path of a tenant's `.db`. Its `-wal` and `-shm` files exist while it is open. */
export const tenantPath = (directory: string, id: string): string => join(directory, `${id}.db`);

/** Returns whether the name is one of this module's temporary files. Other `.tmp` files do not belong to Windsock. */
export const isTemporary = (name: string): boolean =>
  /^((template|adopting)-\d+|secret\.key|(control|[0-9a-f-]{36})\.(db(\.(copy|export|dump|backup|adopted))?|age))\.tmp$/.test(
    name,
  );

export const removeDatabase = async (path: string): Promise<void> => {
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
};

const templates = new WeakMap<Migrations, Promise<Buffer>>();

/**
 * Returns the bytes of an empty, migrated database, which is made once: copying them takes a thousandth of the time of the
 * migrations.
 *
 * @param directory where it is made
 */
export function templateOf(migrations: Migrations, directory: string): Promise<Buffer> {
  const known = templates.get(migrations);
  if (known !== undefined) return known;
  const made = makeTemplate(directory, migrations).catch((error: unknown) => {
    templates.delete(migrations); // for example on a full disk: the next sign-up retries
    throw error;
  });
  templates.set(migrations, made);
  return made;
}

/** Creates an empty, migrated database, returns its bytes and removes the file. */
async function makeTemplate(directory: string, migrations: Migrations): Promise<Buffer> {
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
