import type { BackupSettings } from "../../module.ts";
import type { Backups } from "../../storage/backup/backups.ts";
import type { Backup } from "../../storage/backup/places.ts";

/** Returns the newest complete backup of the whole installation; null: there is none. Undefined: no directory is configured. */
export type NewestBackup = () => Promise<Backup | null | undefined>;

export const newestBackupIn =
  (backups: Pick<Backups, "newest">, { place }: Pick<BackupSettings, "place">): NewestBackup =>
  async () =>
    place === undefined ? undefined : ((await backups.newest(place)) ?? null);
