import { chmod, mkdir, open } from "node:fs/promises";

/** Makes a directory that only its owner can enter, and closes one that others could: git, for one, makes them 0755. */
export async function privateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/**
 * Makes sure that a database is its owner's alone before SQLite opens it; SQLite gives its `-wal` and `-shm` the same
 * mode. One that is there is never opened for it: closing it again would drop the locks that SQLite holds on it.
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
