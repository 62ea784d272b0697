import { z } from "zod";
import { Problem } from "../../core/errors.ts";
import { idOf } from "../../http/fields.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";
import { runOffSite } from "../../storage/backup/off-site.ts";

/** What an operator may ask for. */
export const BackupAsked = z.strictObject({
  org: idOf<"organization">().optional(),
  /** An absolute path, instead of the configured directory. */
  to: z.string().optional(),
  full: z.boolean().optional(),
});

type Services = Pick<JobServices, "backups" | "backupSettings" | "intents" | "stopping" | "log">;

const MEBIBYTE = 1024 * 1024;

/** The number of schools that the summary names, if they could not be copied. */
const named = 5;

/** Copies all databases into a directory of their own, verifies the copies, and removes old backups. */
export const backup: JobDefinition<Services, JobSettings> = {
  name: "backup",
  schedule: "11 3 * * *",
  configuredSchedule: ({ backupSettings: { schedule } }) => schedule,
  description: "Backs up all databases into WINDSOCK_BACKUP_DIR, and removes old backups.",
  onEachNode: true,
  due: noTenantWork,
  async run({ backups, backupSettings, intents, stopping, log }, _now, { request = {}, onProgress } = {}) {
    const { org: organization, to, full: isFull } = BackupAsked.parse(request);
    const { place: configured, keep, recipient, command } = backupSettings;
    const place = to ?? configured;
    if (place === undefined) return "nothing_due";
    const keepIntents = () => intents.keep();
    const taken = await backups.take({ place, organization, isFull, recipient, keepIntents, stopping, onProgress });
    const { manifest, path } = taken;
    const faults = manifest.files.flatMap(({ database, fault }) => (fault === undefined ? [] : [{ database, fault }]));
    for (const { database, fault } of faults)
      log.error({ database, fault }, "A school could not be backed up. The backup has an older copy of it.");
    for (const { organization: database, fault } of manifest.missing)
      log.error({ database, fault }, "A school could not be backed up. There is no copy of it.");
    const failed = [...faults, ...manifest.missing.map(({ organization: database, fault }) => ({ database, fault }))];
    // A place that an operator names is not one of old backups.
    const removed = to === undefined ? await backups.removeOld(taken, place, keep) : 0;
    const parts = [
      `Backed up ${counted(manifest.files.length, "database")} to ${path}: `,
      `${taken.copied} copied (${Math.ceil(taken.bytes / MEBIBYTE)} MiB), ${manifest.files.length - taken.copied} unchanged.`,
      removed > 0 ? ` Removed ${counted(removed, "old backup")}.` : "",
      ...failed
        .slice(0, named)
        .map(({ database, fault }) => ` ${database} could not be copied: ${fault.split("\n")[0]}.`),
      failed.length > named ? ` Nor could ${failed.length - named} more: see the log.` : "",
    ];
    const summary = parts.join("");
    if (command === undefined || to !== undefined) return { summary, failed: failed.length > 0 };
    try {
      await runOffSite(command, path, stopping);
      return { summary: `${summary} Taken to another place.`, failed: failed.length > 0 };
    } catch (err) {
      log.error({ backup: path, err }, "WINDSOCK_BACKUP_COMMAND failed. The backup is complete in its directory.");
      return { summary: `${summary} WINDSOCK_BACKUP_COMMAND failed: see the log.`, failed: true };
    }
  },
};

/** @param place the configured one, by the process that makes the backup. @throws BAD_REQUEST there is none */
export function requirePlace(to: string | undefined, place: string | undefined): string {
  const there = to ?? place;
  if (there === undefined)
    throw new Problem(
      "BAD_REQUEST",
      "Backups are not configured. Set WINDSOCK_BACKUP_DIR, or name a directory: windsock backup --to DIR",
    );
  return there;
}
