import { days, shift } from "../../core/clock.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, jobContext, noTenantWork } from "../../scheduler/job.ts";
import { removeOldInvites } from "./invites/remove-old-invites.ts";

/** How long an expired invite is kept, so that its token gets `410` and not `404`. */
const invitesKept = days(90);

export const inviteCleanup: JobDefinition<Pick<JobServices, "control" | "clock">, JobSettings> = {
  name: "invite-cleanup",
  schedule: "22 3 * * *",
  description: "Deletes invites that expired more than 90 days ago.",
  due: noTenantWork,
  async run(services, now) {
    const context = jobContext("invite-cleanup", services);
    const removed = await removeOldInvites(context, { before: shift(now, -invitesKept) });
    return removed === 0 ? "nothing_due" : { summary: `Deleted ${counted(removed, "invite")}.` };
  },
};
