import { days, shift, toInstant } from "../../core/clock.ts";
import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, jobContext, noTenantWork } from "../../scheduler/job.ts";
import { removeOldKeys } from "../../storage/used-keys.ts";
import { removeExpiredTokens } from "./remove-expired-tokens.ts";
import { removeEndedSessions } from "./sessions/remove-ended-sessions.ts";

/** How long an ended session is kept. */
const sessionsKept = days(30);
/** How long a mailed link is kept after it expired, so that it gets `409` or `410` and not `404`. */
const emailTokensKept = days(7);

export const sessionCleanup: JobDefinition<Pick<JobServices, "control" | "clock">, JobSettings> = {
  name: "session-cleanup",
  schedule: "17 3 * * *",
  description:
    "Deletes sessions that ended more than 30 days ago, mailed tokens that expired more than 7 days ago, expired sign-in challenges, hand-off tokens and provider sign-ins, and idempotency keys used more than 24 hours ago.",
  due: noTenantWork,
  async run(services, now) {
    const context = jobContext("session-cleanup", services);
    const sessions = await removeEndedSessions(context, { before: shift(now, -sessionsKept) });
    const expired = { before: toInstant(now) };
    const tokens =
      (await removeExpiredTokens(context, { kind: "email_tokens", before: shift(now, -emailTokensKept) })) +
      (await removeExpiredTokens(context, { kind: "mfa_challenges", ...expired })) +
      (await removeExpiredTokens(context, { kind: "handoff_tokens", ...expired })) +
      (await removeExpiredTokens(context, { kind: "oauth_flows", ...expired }));
    const keys = await removeOldKeys(services.control, now);
    if (sessions + tokens + keys === 0) return "nothing_due";
    const used = keys > 0 ? ` Forgot ${counted(keys, "idempotency key")}.` : "";
    return { summary: `Deleted ${counted(sessions, "session")} and ${counted(tokens, "token")}.${used}` };
  },
};
