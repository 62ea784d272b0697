import { days, shift, toInstant } from "../../core/clock.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, jobContext, noTenantWork } from "../../scheduler/job.ts";
import { removeOldKeys } from "../../storage/used-keys.ts";
import { removeOldInvites } from "../organizations/invites/remove-old-invites.ts";
import { removeExpiredTokens } from "./remove-expired-tokens.ts";
import { removeEndedSessions } from "./sessions/remove-ended-sessions.ts";

/** For how long it stays on record where somebody was signed in. */
const sessionsKept = days(30);
/** For how long a token that is over is still told from one that never was. */
const invitesKept = days(90);

/** For how long a link out of a mail is still told "used" or "expired", and not "unknown". */
const emailTokensKept = days(7);

export const sessionCleanup: JobDefinition<Pick<JobServices, "control" | "clock">, JobSettings> = {
  name: "session-cleanup",
  schedule: "17 3 * * *",
  description:
    "Deletes sessions that ended more than 30 days ago, invites that expired more than 90 days ago, tokens of mails that expired more than 7 days ago, whatever else was good for minutes, and idempotency keys used more than 24 hours ago.",
  due: noTenantWork,
  async run(services, now) {
    const context = jobContext("session-cleanup", services);
    const sessions = await removeEndedSessions(context, { before: shift(now, -sessionsKept) });
    const invites = await removeOldInvites(context, { before: shift(now, -invitesKept) });
    const expired = { before: toInstant(now) };
    const tokens =
      (await removeExpiredTokens(context, { kind: "email_tokens", before: shift(now, -emailTokensKept) })) +
      (await removeExpiredTokens(context, { kind: "mfa_challenges", ...expired })) +
      (await removeExpiredTokens(context, { kind: "handoff_tokens", ...expired })) +
      (await removeExpiredTokens(context, { kind: "oauth_flows", ...expired }));
    const keys = await removeOldKeys(services.control, now);
    if (sessions + invites + tokens + keys === 0) return undefined;
    const rest = `${counted(invites, "invite")} and ${counted(tokens, "token")}`;
    const used = keys > 0 ? ` Forgot ${counted(keys, "idempotency key")}.` : "";
    return { summary: `Deleted ${counted(sessions, "session")}, ${rest}.${used}` };
  },
};
