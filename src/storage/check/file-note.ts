import { stat } from "node:fs/promises";

/**
 * Returns size, time and inode of a database file as text, and those of its `-wal` file if that has rows. A replaced,
 * restored or changed file has another note. Not the device: its number can change when the machine starts.
 *
 * @returns undefined if there is no file, or none that can be opened
 */
export async function fileNote(path: string): Promise<string | undefined> {
  const [database, wal] = await Promise.all([note(path), note(`${path}-wal`)]);
  if (database === undefined || wal === undefined || wal.startsWith("0 ")) return database;
  return `${database}, wal ${wal}`;
}

/** Returns whether the `-wal` file had no rows when the note was taken. Only such a note is stored. */
export const isWhole = (note: string): boolean => !note.includes("wal");

async function note(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${Math.trunc(mtimeMs)} ${ino}`;
  } catch {
    return undefined; // opening the file reports the error
  }
}
