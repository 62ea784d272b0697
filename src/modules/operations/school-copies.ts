import type { OrgId } from "../../core/ids.ts";
import type { Backup } from "../../storage/backup/places.ts";

export interface SchoolCopy {
  /** The copy has all that was written before. Null: there is no copy. */
  at: string | null;
  /** Why this backup could not copy it: the copy is an older one, or missing. */
  fault: string | null;
}

/** Returns what a backup has of each school. The copy of a file that has not changed is shared, and is as good as a new one. */
export function copiesIn(backup: Backup | null | undefined): ReadonlyMap<OrgId, SchoolCopy> {
  const copies = new Map<OrgId, SchoolCopy>();
  if (!backup) return copies;
  const { started_at, files, missing } = backup.manifest;
  for (const { database, taken_at, fault } of files)
    if (database !== "control")
      copies.set(database, { at: fault === undefined ? started_at : taken_at, fault: fault ?? null });
  for (const { organization, fault } of missing) copies.set(organization, { at: null, fault });
  return copies;
}
