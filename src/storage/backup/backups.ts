import { join } from "node:path";
import type { KeyRing } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import type { OnProgress } from "../../core/progress.ts";
import { installation } from "../control.tables.ts";
import { Mutex } from "../mutex.ts";
import type { TenantStore } from "../tenant-store.ts";
import type { Drilled, drillBackup } from "./drill.ts";
import { type Backup, backupsOf, type Keep, newestBackup, removeOld } from "./places.ts";
import type { RestoreRequest } from "./restore.ts";
import { type RestoreNote, readRestoreNote, removeRestoreNote, writeRestoreNote } from "./restore-note.ts";
import type { BackupRequest, BackupSource, TakenBackup } from "./take-backup.ts";

/** Backups of an open data directory. */
export interface Backups {
  /** The directory of backups that must be made although none is configured. */
  readonly beside: string;
  /** See `takeBackup`. */
  take(request: BackupRequest): Promise<TakenBackup>;
  /** Removes the backups beside this one that are older than the operator keeps. @returns how many */
  removeOld(taken: TakenBackup, place: string, keep: Keep): Promise<number>;
  /** Returns the newest complete backup of the whole installation in a directory of backups. */
  newest(place: string): Promise<Backup | undefined>;
  /** See `drillBackup`. @param place the directory of backups, which has the scratch directory of a backup that is not encrypted */
  drill(backup: Backup, request: { place: string } & DrillRequest): Promise<Drilled>;
  /** See `restoreSchool`. */
  restoreSchool(request: RestoreRequest, orgId: OrgId, onProgress?: OnProgress): Promise<string | undefined>;
  /** Returns the restore whose schools are not yet in agreement with the control database. */
  unfinished(): Promise<RestoreNote | undefined>;
  /** They are, except for some. If another restore has begun meanwhile, its note stays: it has these schools, too. */
  finished(note: RestoreNote, left: readonly OrgId[]): Promise<void>;
}

type DrillRequest = Pick<Parameters<typeof drillBackup>[1], "identity" | "stopping" | "onProgress">;

interface Options extends Omit<BackupSource, "keyId" | "copying"> {
  keys: KeyRing;
  tenants: Pick<TenantStore, "whileClosed">;
}

export function createBackups(options: Options): Backups {
  const { directory, checker, tenants, clock, control, keys } = options;
  let newest: Backup | undefined;
  /** One at a time: each begins with removing what is not complete. */
  const taking = new Mutex();
  /** One at a time: there is one note. */
  const restoring = new Mutex();
  const copying = new Mutex();
  const source = { ...options, keyId: keys.id, copying };
  /** A stop does not wait for a copy. */
  async function untilStopped<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = () => checker.endCopies();
    stopping.addEventListener("abort", end);
    try {
      return await work();
    } finally {
      stopping.removeEventListener("abort", end);
    }
  }
  return {
    beside: join(directory, "backups"),
    take: (request) =>
      taking.run(async () => {
        const { takeBackup } = await import("./take-backup.ts");
        return untilStopped(request.stopping, () => takeBackup(source, request));
      }),
    async newest(place) {
      const [row] = await control.read((reader) => reader.select().from(installation));
      newest = await newestBackup(place, { key_id: keys.id, installation: row?.created_at ?? "" }, newest);
      return newest;
    },
    async drill(backup, { place, ...request }) {
      const { drillBackup } = await import("./drill.ts");
      const scratchIn = backup.manifest.recipient === null ? place : directory;
      return untilStopped(request.stopping, () => drillBackup(backup, { checker, keys, scratchIn, ...request }));
    },
    async removeOld({ manifest }, place, keep) {
      const all: Backup[] = await backupsOf(place, manifest);
      return removeOld(place, all, { keep, now: clock.now() });
    },
    restoreSchool: (request, orgId, onProgress) =>
      restoring.run(async () => {
        const { restoreSchool } = await import("./restore.ts");
        const whileClosed = (id: OrgId, version: number, work: () => Promise<void>) =>
          copying.run(() => tenants.whileClosed(id, version, work));
        return restoreSchool(request, { directory, checker, orgId, now: clock.now(), onProgress, whileClosed });
      }),
    unfinished: () => readRestoreNote(directory),
    finished: (note, left) =>
      restoring.run(async () => {
        const present = await readRestoreNote(directory);
        if (present?.kept !== note.kept) return;
        if (left.length === 0) return removeRestoreNote(directory);
        await writeRestoreNote(directory, { ...note, unfinished: [...left] });
      }),
  };
}
