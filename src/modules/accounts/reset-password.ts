import { toInstant } from "../../core/clock.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { passwordChangedMail } from "./account-mails.ts";
import { requireOpenToken, useToken } from "./email-tokens.ts";
import { requireUsable } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { replacePassword } from "./replace-password.ts";
import { takeOver } from "./take-over.ts";

type FrontDoor = Context & { passwords: Passwords; mailer: Mailer; publicUrl: string };

export interface Reset {
  token: string;
  password: string;
}

/**
 * Sets a password by a token, once, and ends every session and every other reset. It stands in for the password and for
 * nothing else: a second factor stays, and so does the disabling of an account. A token that came by mail to an address
 * that was never proved proves it now, and with it goes the account (`take-over.ts`).
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws VALIDATION_ERROR the password is the e-mail address
 */
export async function resetPassword(context: FrontDoor, { token, password }: Reset): Promise<void> {
  const { control, clock, passwords, mailer, publicUrl } = context;
  const seen = await control.read((reader) => requireOpenToken(reader, "reset", token, toInstant(clock.now())));
  requireUsable(password, seen.account);
  const passwordHash = await passwords.hash(password);

  await control.write(async (tx) => {
    const { account, provesAddress } = await requireOpenToken(tx, "reset", token, tx.now);
    const { id: userId, email } = account;
    await useToken(tx, token);
    const subject = { kind: "user", id: userId };
    if (provesAddress && account.emailVerifiedAt === null) {
      const after = await takeOver(tx, { userId, passwordHash });
      return audit(tx, context, "account.taken_over", { subject, after });
    }
    const ended = await replacePassword(tx, { userId, passwordHash });
    if (mailer.isConfigured) tx.afterCommit(() => mailer.send(passwordChangedMail({ to: email, publicUrl })));
    return audit(tx, context, "password.reset", { subject, after: { session_ids: ended } });
  });
}
