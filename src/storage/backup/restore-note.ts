/**
 * `restore.json` in the data directory: a restore that has begun to replace files. Whoever opens the directory next completes it,
 * so that a kill at any step leaves the old files or, after the next start, the restored ones.
 */
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isId, type OrgId } from "../../core/ids.ts";
import { placeFile } from "../place-file.ts";
import { syncPath } from "./places.ts";

const orgId = z.custom<OrgId>((value) => typeof value === "string" && isId<"organization">(value));
/** No path leads out of the data directory. */
const fileName = z.string().regex(/^[0-9a-z-]+\.(db|key)$/);

const RestoreNote = z.object({
  /** The backup's name. */
  from: z.string(),
  reason: z.string(),
  /** The account on this machine that ran the command. */
  by: z.string(),
  /** The folder in the data directory that keeps the files before the restore. */
  kept: z.string().regex(/^before-restore-[0-9TZ-]+$/),
  /** Files that are replaced: the new one has the name with `.tmp`. */
  replaced: z.array(fileName),
  /** Files that the backup does not have. */
  removed: z.array(fileName),
  /** Schools that must be brought into agreement with the control database, see `modules/operations/finish-restore.ts`. */
  unfinished: z.array(orgId),
  /** Whether all files are in place. */
  isPlaced: z.boolean(),
});
export type RestoreNote = z.infer<typeof RestoreNote>;

const pathOf = (directory: string) => join(directory, "restore.json");

/** @throws Error it is damaged, with a message for the operator */
export async function readRestoreNote(directory: string): Promise<RestoreNote | undefined> {
  const text = await readFile(pathOf(directory), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : RestoreNote.parse(JSON.parse(text));
}

export const writeRestoreNote = (directory: string, note: RestoreNote): Promise<void> =>
  placeFile(pathOf(directory), Buffer.from(`${JSON.stringify(note, null, 2)}\n`));

export const removeRestoreNote = (directory: string): Promise<void> => rm(pathOf(directory), { force: true });

/**
 * Puts the files of a restore in place, if one has begun. Each step can be repeated. Call it when no database of the directory is
 * open, or none of those that it replaces.
 *
 * @param step called before each step; tests kill the process there
 */
export async function placeRestored(
  directory: string,
  step: (name: string) => void = () => undefined,
): Promise<RestoreNote | undefined> {
  const note = await readRestoreNote(directory);
  if (note === undefined || note.isPlaced) return note;
  const kept = join(directory, note.kept);
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const keep = async (name: string) => {
    // Of the database that is moved away: for another one, its rows would be damage.
    for (const suffix of ["", "-wal", "-shm"]) {
      step(`restore: keep ${suffix}`);
      await moveIfThere(join(directory, `${name}${suffix}`), join(kept, `${name}${suffix}`));
    }
  };
  for (const name of note.replaced) {
    const path = join(directory, name);
    if (!(await isThere(`${path}.tmp`))) continue; // it is in place
    await keep(name);
    step("restore: place");
    await rename(`${path}.tmp`, path);
  }
  for (const name of note.removed) await keep(name);
  step("restore: sync");
  // An empty directory had nothing to keep.
  if ((await readdir(kept)).length === 0) await rm(kept, { recursive: true });
  else await syncPath(kept);
  await syncPath(directory);
  const placed = { ...note, isPlaced: true };
  step("restore: note");
  await writeRestoreNote(directory, placed);
  return placed;
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const moveIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
