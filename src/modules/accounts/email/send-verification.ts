import { conflict, unauthorized } from "../../../core/errors.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context, SignedIn } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { MailInterval } from "../attempt-limits.ts";
import { type Account, findAccount } from "../users.ts";
import { verificationMail } from "./account-mails.ts";
import { issueEmailToken, lastMailed } from "./email-tokens.ts";

/** The mailer of mails with a link, and the addresses they name. */
export interface LinkMailer {
  mailer: Mailer;
  publicUrl: string;
  linkUrl: string;
}

type Recipient = Pick<Account, "id" | "email" | "language">;

/**
 * Mails a link that verifies the address of a new account, after the commit. Does nothing if mail is not configured. An
 * address has one account for ever, so this is the first mail to it.
 */
export async function mailVerification(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  mailer: LinkMailer,
  account: Recipient,
): Promise<void> {
  if (mailer.mailer.isConfigured) await mailLink(tx, context, mailer, account);
}

async function mailLink(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { mailer, publicUrl, linkUrl }: LinkMailer,
  { id, email, language }: Recipient,
): Promise<void> {
  const token = await issueEmailToken(tx, { user_id: id, purpose: "verify", email });
  tx.afterCommit(() => mailer.send(verificationMail({ publicUrl, linkUrl, to: email, language, token })));
  await audit(tx, context, "email.verification_sent", { subject: { kind: "user", id } });
}

/**
 * Mails the caller a link that verifies their address. Earlier links stay valid. The limit counts stored tokens: also
 * that of the sign-up, and also one whose mail could not be sent, since a server may report a failure of a mail that it
 * delivers.
 *
 * @throws CONFLICT     the address is already verified, or mail is not configured
 * @throws RATE_LIMITED such a mail was sent in the last hour
 */
export async function sendVerification(context: SignedIn & LinkMailer & { interval: MailInterval }): Promise<void> {
  const { actor, control, mailer, interval } = context;
  await control.write(async (tx) => {
    const account = await findAccount(tx, actor.email);
    if (account?.id !== actor.userId) throw unauthorized();
    if (account.email_verified_at !== null)
      throw conflict("email_already_verified", "Your e-mail address is already verified.");
    if (!mailer.isConfigured)
      throw conflict("mail_not_configured", "This installation sends no mail. Ask its operator.");
    interval.requirePassed(await lastMailed(tx, "verify", account));
    await mailLink(tx, context, context, account);
  });
}
