import { statSync } from "node:fs";
import { type Clock, hasPassed, hours } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";
import { placeFault } from "../../../storage/backup/place-folder.ts";

/** A backup of every night is at most a day old, and may take its time. */
const longest = hours(36);

/** What `windsock doctor` finds of backups. */
export async function examineBackups({
  newestBackup,
  backupSettings,
  clock,
  dataDirectory,
}: DiagnosisServices): Promise<Finding[]> {
  const { place, command } = backupSettings;
  if (place === undefined) {
    const remedy = "Set WINDSOCK_BACKUP_DIR, best to a directory on another disk.";
    return [warning("backups", "This server makes no backups.", remedy, { code: "backups_off", params: {} })];
  }
  const missing = await placeFault(place);
  if (missing !== undefined) {
    const params = { path: place, fault: missing };
    const remedy = "Until then, no backup is made. Or correct WINDSOCK_BACKUP_DIR.";
    return [fault("backups", missing, remedy, { code: "backups_missing", params })];
  }
  try {
    const age = ageOf((await newestBackup())?.manifest.started_at, place, clock);
    const isAtRisk = command === undefined && isOnDiskOf(dataDirectory, place);
    return isAtRisk ? [age, sameDisk(place)] : [age];
  } catch (error) {
    const params = { path: place, error: error instanceof Error && "code" in error ? String(error.code) : "unknown" };
    const remedy = "Check WINDSOCK_BACKUP_DIR, and whether its disk is mounted.";
    const message = `${place} can't be read (${params.error}).`;
    return [fault("backups", message, remedy, { code: "backups_unreadable", params })];
  }
}

/** @param directory undefined: the data is on a server */
function isOnDiskOf(directory: string | undefined, place: string): boolean {
  const [data, backups] = [directory, place].map(
    (path) => path !== undefined && statSync(path, { throwIfNoEntry: false })?.dev,
  );
  return data !== undefined && data !== false && data === backups;
}

const sameDisk = (place: string): Finding =>
  warning(
    "backups",
    `${place} is on the disk of the data: what breaks that disk takes both.`,
    "Set WINDSOCK_BACKUP_DIR to a directory on another disk, and check whether that is mounted; or let WINDSOCK_BACKUP_COMMAND take each backup to another machine.",
    { code: "backups_same_disk", params: { path: place } },
  );

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
