import { type Clock, days, shift } from "../../core/clock.ts";
import type { Job } from "../../scheduler/job.ts";
import type { Control } from "../../storage/store.ts";
import { counted, jobContext } from "../job-context.ts";
import { removeOldInvites } from "../organizations/remove-old-invites.ts";
import { removeEndedSessions } from "./remove-ended-sessions.ts";

/** For how long it stays on record where somebody was signed in. */
const sessionsKept = days(30);
/** For how long a token that is over is still told from one that never was. */
const invitesKept = days(90);

export function sessionCleanup(deps: { control: Control; clock: Clock }): Job {
  const name = "session-cleanup";
  return {
    name,
    schedule: "17 3 * * *",
    description: "Deletes sessions that ended more than 30 days ago, and invites that expired more than 90 days ago.",
    async run(now) {
      const context = jobContext(name, deps);
      const sessions = await removeEndedSessions(context, { before: shift(now, -sessionsKept) });
      const invites = await removeOldInvites(context, { before: shift(now, -invitesKept) });
      if (sessions + invites === 0) return undefined;
      return { summary: `Deleted ${counted(sessions, "session")} and ${counted(invites, "invite")}.` };
    },
  };
}
