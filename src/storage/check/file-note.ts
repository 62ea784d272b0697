import { statSync } from "node:fs";

/**
 * Returns size, time and inode of a database file as text, and those of its `-wal` file if that has rows. A replaced,
 * restored or changed file has another note. Not the device: its number can change when the machine starts.
 *
 * @returns undefined if there is no file, or none that can be opened
 */
export function fileNote(path: string): string | undefined {
  const database = note(path);
  const wal = note(`${path}-wal`);
  if (database === undefined || wal === undefined || wal.startsWith("0 ")) return database;
  return `${database}, wal ${wal}`;
}

/** Returns whether the `-wal` file had no rows when the note was taken. Only such a note is stored. */
export const isWhole = (note: string): boolean => !note.includes("wal");

/** Synchronous, like SQLite's own calls: a fraction of the time of an asynchronous one. */
function note(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.size} ${Math.trunc(stats.mtimeMs)} ${stats.ino}`;
  } catch {
    return undefined; // opening the file reports the error
  }
}
