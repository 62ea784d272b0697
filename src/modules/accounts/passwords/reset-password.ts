import { toInstant } from "../../../core/clock.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { requireOpenToken, useToken } from "../email/email-tokens.ts";
import { type NoticePost, postNotice } from "../email/notices.ts";
import { takeOver } from "../email/take-over.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { requireUsable } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { replacePassword } from "./replace-password.ts";

type FrontDoor = Context & NoticePost & { passwords: Passwords; oneAtATime: OneAtATime };

export interface Reset {
  token: string;
  password: string;
}

/**
 * Sets a password by a token, once, and ends every session and every other reset. It stands in for the password: a
 * second factor stays, and so does the disabling of an account. Accounts at providers that were linked later go, since
 * whoever knew the old password may have linked theirs, and all of them where nobody ever proved the address. A token
 * that came by mail proves it now, and so takes the account over (`take-over.ts`); one of the operator's does not.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws CONFLICT         the token is being used
 * @throws VALIDATION_ERROR the password is the e-mail address
 */
export async function resetPassword(context: FrontDoor, input: Reset): Promise<void> {
  await context.oneAtATime(`reset ${input.token}`, () => reset(context, input));
}

async function reset(context: FrontDoor, { token, password }: Reset): Promise<void> {
  const { control, clock, passwords } = context;
  const seen = await control.read((reader) => requireOpenToken(reader, "reset", token, toInstant(clock.now())));
  requireUsable(password, seen.account);
  const passwordHash = await passwords.hash(password);

  await control.write(async (tx) => {
    const { account, provesAddress } = await requireOpenToken(tx, "reset", token, tx.now);
    const { id: userId } = account;
    await useToken(tx, token);
    const subject = { kind: "user", id: userId };
    const isProved = account.email_verified_at !== null;
    if (!isProved && provesAddress) {
      const after = await takeOver(tx, { userId, passwordHash });
      return audit(tx, context, "account.taken_over", { subject, after });
    }
    const ended = await replacePassword(tx, { userId, passwordHash });
    const dropped = await dropIdentities(tx, userId, isProved ? "linked_later" : "all");
    await postNotice(tx, context, { userId, notice: "password_changed" });
    return audit(tx, context, "password.reset", { subject, after: { session_ids: ended, providers_dropped: dropped } });
  });
}
