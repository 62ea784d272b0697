import type { OrgId } from "../../core/ids.ts";
import type { TenantStore } from "../tenant-store.ts";
import { type Backup, backupsOf, type Keep, removeOld } from "./places.ts";
import { type RestoreRequest, restoreSchool } from "./restore.ts";
import { type RestoreNote, readRestoreNote, removeRestoreNote, writeRestoreNote } from "./restore-note.ts";
import { type BackupRequest, type BackupSource, type TakenBackup, takeBackup } from "./take-backup.ts";

/** Backups of an open data directory. */
export interface Backups {
  /** See `takeBackup`. */
  take(request: BackupRequest): Promise<TakenBackup>;
  /** Removes the backups beside this one that are older than the operator keeps. @returns how many */
  removeOld(taken: TakenBackup, place: string, keep: Keep): Promise<number>;
  /** See `restoreSchool`. */
  restoreSchool(request: RestoreRequest, orgId: OrgId): Promise<string | undefined>;
  /** Returns the restore whose schools are not yet in agreement with the control database. */
  unfinished(): Promise<RestoreNote | undefined>;
  /** They are, except for some. */
  finished(left: readonly OrgId[]): Promise<void>;
}

interface Options extends BackupSource {
  tenants: Pick<TenantStore, "whileClosed">;
}

export function createBackups(options: Options): Backups {
  const { directory, checker, tenants, clock } = options;
  return {
    async take(request) {
      const { stopping } = request;
      const end = () => checker.endCopies();
      stopping.addEventListener("abort", end);
      try {
        return await takeBackup(options, request);
      } finally {
        stopping.removeEventListener("abort", end);
      }
    },
    async removeOld({ manifest }, place, keep) {
      const all: Backup[] = await backupsOf(place, manifest);
      return removeOld(place, all, { keep, now: clock.now() });
    },
    restoreSchool: (request, orgId) =>
      restoreSchool(request, {
        directory,
        checker,
        orgId,
        now: clock.now(),
        whileClosed: tenants.whileClosed.bind(tenants),
      }),
    unfinished: () => readRestoreNote(directory),
    async finished(left) {
      const note = await readRestoreNote(directory);
      if (note === undefined || left.length === 0) return removeRestoreNote(directory);
      await writeRestoreNote(directory, { ...note, unfinished: [...left] });
    },
  };
}
