/**
 * The last step of an adoption. The file is complete under a name of its own before the organization is committed, and gets its
 * name afterwards: the commit decides. After a crash between the two, the next start does the step (`../recovery.ts`).
 */
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isId, type OrgId } from "../../core/ids.ts";
import { syncPath } from "../backup/places.ts";
import { tenantPath } from "../tenant-file.ts";

const suffix = ".db.adopted.tmp";

export const adoptedPath = (directory: string, id: OrgId): string => join(directory, `${id}${suffix}`);

/** Returns whose file is waiting under this name. */
export function adoptedIn(name: string): OrgId | undefined {
  const id = name.slice(0, -suffix.length);
  return name.endsWith(suffix) && isId<"organization">(id) ? id : undefined;
}

/** Can be repeated. Nobody has the school's file open. */
export async function placeAdopted(
  directory: string,
  id: OrgId,
  step: (name: string) => void = () => undefined,
): Promise<void> {
  const path = tenantPath(directory, id);
  // Of a file that nobody owned: for another one, its rows would be damage.
  for (const of of ["-wal", "-shm"]) await rm(`${path}${of}`, { force: true });
  step("adoption: place");
  await rename(adoptedPath(directory, id), path);
  step("adoption: sync");
  await syncPath(directory);
}
