import { type Clock, hasPassed, hours } from "../../../core/clock.ts";
import { type Finding, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";

/** A backup of every night is at most a day old, and may take its time. */
const longest = hours(36);

/** What `windsock doctor` finds of backups. */
export async function examineBackups({ backups, backupSettings, clock }: DiagnosisServices): Promise<Finding[]> {
  const { place } = backupSettings;
  if (place === undefined) {
    const remedy = "Set WINDSOCK_BACKUP_DIR, best to a directory on another disk.";
    return [warning("backups", "This server makes no backups.", remedy)];
  }
  return [ageOf((await backups.newest(place))?.manifest.started_at, place, clock)];
}

function ageOf(newest: string | undefined, place: string, clock: Clock): Finding {
  const remedy = "`windsock backup` makes one now, or says why it can't.";
  if (newest === undefined) return warning("backups", `There is no complete backup in ${place}.`, remedy);
  if (hasPassed(longest, { since: new Date(newest), now: clock.now() }))
    return warning("backups", `The newest backup is of ${newest}.`, remedy);
  return fine("backups", `The newest backup is of ${newest}.`);
}
