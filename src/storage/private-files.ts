import { chmod, mkdir, open, stat } from "node:fs/promises";

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

/**
 * Sets mode 0600 on an existing database and its files before SQLite opens it: a file that was restored has the mode of the copy.
 * What belongs to another user stays as it is.
 */
export async function makePrivate(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    const file = `${path}${suffix}`;
    const mode = await stat(file).then((stats) => stats.mode, ifCode("ENOENT", 0));
    if ((mode & 0o077) !== 0) await chmod(file, 0o600).catch(ifCode("EPERM", undefined));
  }
}

/** Returns a handler that gives the value instead of this error. */
const ifCode =
  <T>(code: string, value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && "code" in error && error.code === code) return value;
    throw error;
  };
