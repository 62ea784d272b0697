import { toInstant } from "../../../core/clock.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { requireOpenToken, useToken } from "../email/email-tokens.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import { takeOver } from "../email/take-over.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { requireUsable } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { replacePassword } from "./replace-password.ts";

type ResetContext = Context & NoticeMailer & { passwords: Passwords; oneAtATime: OneAtATime };

export interface Reset {
  token: string;
  password: string;
}

/**
 * Sets a password with a token, once, ends every session and makes other reset links void. The token replaces the
 * password only: the second factor stays, and a disabled account stays disabled. Providers that were linked later are
 * unlinked, since a person with the old password may have linked theirs; all of them if the address is unverified. A
 * mailed token verifies an unverified address and takes the account over (`take-over.ts`); a token of the operator does not.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws CONFLICT         another request is using the token
 * @throws VALIDATION_ERROR the password is the e-mail address
 */
export async function resetPassword(context: ResetContext, input: Reset): Promise<void> {
  await context.oneAtATime(`reset ${input.token}`, () => reset(context, input));
}

async function reset(context: ResetContext, { token, password }: Reset): Promise<void> {
  const { control, clock, passwords } = context;
  const seen = await control.read((reader) => requireOpenToken(reader, "reset", token, toInstant(clock.now())));
  requireUsable(password, seen.account);
  const passwordHash = await passwords.hash(password);

  await control.write(async (tx) => {
    const { account, wasMailed } = await requireOpenToken(tx, "reset", token, tx.now);
    const { id: userId } = account;
    await useToken(tx, token);
    const subject = { kind: "user", id: userId };
    const isVerified = account.email_verified_at !== null;
    if (!isVerified && wasMailed) {
      const after = await takeOver(tx, { userId, passwordHash });
      return audit(tx, context, "account.taken_over", { subject, after });
    }
    const ended = await replacePassword(tx, { userId, passwordHash });
    const dropped = await dropIdentities(tx, userId, isVerified ? "linked_later" : "all");
    await mailNotice(tx, context, { userId, notice: "password_changed" });
    return audit(tx, context, "password.reset", { subject, after: { session_ids: ended, providers_dropped: dropped } });
  });
}
