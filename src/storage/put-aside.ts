/**
 * Files of schools that no organization owns and that have no records: an interrupted sign-up leaves one, and a `control.db` that is
 * older than a school does not know it. A start can't tell which, so it puts them into a folder, from where `windsock control
 * rebuild` adopts them.
 */
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isId, type OrgId } from "../core/ids.ts";
import { syncPath } from "./backup/places.ts";
import { privateDirectory } from "./private-files.ts";
import { removeDatabase, tenantPath } from "./tenant-file.ts";

const folderIn = (directory: string): string => join(directory, "unowned");

/** Copies the file there, with what is only in its `-wal` file. @returns the path */
export async function copyAside(directory: string, id: OrgId): Promise<string> {
  const { vacuumInto } = await import("./backup/copy-file.ts"); // a start has seldom anything to put aside
  const folder = folderIn(directory);
  await privateDirectory(folder);
  const to = join(folder, `${id}.db`);
  await removeDatabase(to);
  await vacuumInto(tenantPath(directory, id), to);
  await chmod(to, 0o600);
  await syncPath(to);
  await syncPath(folder);
  return to;
}

/** Returns the files that were put aside. */
export async function filesAside(directory: string): Promise<{ id: OrgId; path: string }[]> {
  const folder = folderIn(directory);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.flatMap((name) => {
    const id = name.slice(0, -".db".length);
    return name.endsWith(".db") && isId<"organization">(id) ? [{ id, path: join(folder, name) }] : [];
  });
}
