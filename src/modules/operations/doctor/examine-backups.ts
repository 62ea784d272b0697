import { type Clock, hasPassed, hours } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";

/** A backup of every night is at most a day old, and may take its time. */
const longest = hours(36);

/** What `windsock doctor` finds of backups. */
export async function examineBackups({ newestBackup, backupSettings, clock }: DiagnosisServices): Promise<Finding[]> {
  const { place } = backupSettings;
  if (place === undefined) {
    const remedy = "Set WINDSOCK_BACKUP_DIR, best to a directory on another disk.";
    return [warning("backups", "This server makes no backups.", remedy, { code: "backups_off", params: {} })];
  }
  try {
    return [ageOf((await newestBackup())?.manifest.started_at, place, clock)];
  } catch (error) {
    const params = { path: place, error: error instanceof Error && "code" in error ? String(error.code) : "unknown" };
    const remedy = "Check WINDSOCK_BACKUP_DIR, and whether its disk is mounted.";
    const message = `${place} can't be read (${params.error}).`;
    return [fault("backups", message, remedy, { code: "backups_unreadable", params })];
  }
}

function ageOf(newest: string | undefined, place: string, clock: Clock): Finding {
  const remedy = "`windsock backup` makes one now, or says why it can't.";
  if (newest === undefined) {
    const none = { code: "backups_none", params: { path: place } } as const;
    return warning("backups", `There is no complete backup of this installation in ${place}.`, remedy, none);
  }
  if (!hasPassed(longest, { since: new Date(newest), now: clock.now() }))
    return fine("backups", `The newest backup is of ${newest}.`);
  const old = { code: "backups_old", params: { at: newest } } as const;
  return warning("backups", `The newest backup is of ${newest}.`, remedy, old);
}
