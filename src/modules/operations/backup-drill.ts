import { z } from "zod";
import { notFound } from "../../core/errors.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";

/** What an operator may ask for, both absolute paths. */
export const DrillAsked = z.strictObject({
  /** The directory of backups, instead of the configured one. */
  to: z.string().optional(),
  identity: z.string().optional(),
});

type Services = Pick<JobServices, "backups" | "backupSettings" | "stopping" | "log">;

/** Tries whether the newest backup can be restored: a backup that nobody has tried is none. */
export const backupDrill: JobDefinition<Services, JobSettings> = {
  name: "backup-drill",
  schedule: "41 4 * * *",
  description: "Restores the newest backup into a scratch directory and checks it, if WINDSOCK_BACKUP_DRILL is 1.",
  onEachNode: true,
  due: noTenantWork,
  async run({ backups, backupSettings, stopping, log }, _now, { request = {}, offSchedule = false, onProgress } = {}) {
    // A drill that an operator ran and that failed is not repeated, and no other says that the backup is good.
    if (!(offSchedule || backupSettings.drill)) return "waiting";
    const { to, identity } = DrillAsked.parse(request);
    const place = to ?? backupSettings.place;
    if (place === undefined) return "nothing_due";
    const newest = await backups.newest(place);
    if (newest === undefined) throw notFound("There is no backup of this installation.");
    const { databases, faults, isOpened } = await backups.drill(newest, { place, identity, stopping, onProgress });
    for (const fault of faults) log.error({ backup: newest.path, fault }, "The newest backup can't be restored.");
    const tried = isOpened
      ? `Restored ${newest.name} into a scratch directory and checked ${counted(databases, "database")}.`
      : `Compared the SHA-256 of ${counted(databases, "database")} of ${newest.name}, which is encrypted: opening it needs the identity.`;
    return {
      summary: faults.length === 0 ? tried : `${tried} Found ${counted(faults.length, "fault")}: see the log.`,
      failed: faults.length > 0,
    };
  },
};
