import { statSync } from "node:fs";

/** A file was removed or replaced while it was open: SQLite goes on with the old one, which no name leads to. */
export class FileReplaced extends Error {
  override readonly name = "FileReplaced";
}

/** Returns the device and the inode of a file, or `undefined` if it can't be found. Takes a microsecond. */
export function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The identities of a database's two files. */
export interface DatabaseIdentity {
  db: string | undefined;
  wal: string | undefined;
}

export const databaseIdentity = (path: string): DatabaseIdentity => ({
  db: fileIdentity(path),
  wal: fileIdentity(`${path}-wal`),
});
