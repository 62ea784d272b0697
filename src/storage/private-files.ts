import { chmod, mkdir, open } from "node:fs/promises";

/** Creates a directory with mode 0700, and changes the mode of an existing one: git, for example, creates it as 0755. */
export async function privateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/**
 * Sets mode 0600 on a database before SQLite opens it. SQLite gives `-wal` and `-shm` the same mode. An existing file is not
 * opened here: closing it would drop the POSIX locks that SQLite holds on it.
 */
export async function privateFile(path: string): Promise<void> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    await chmod(path, 0o600);
  }
}
