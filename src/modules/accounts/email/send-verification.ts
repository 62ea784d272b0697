import { conflict, unauthorized } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context, SignedIn } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { VerificationMails } from "../attempt-limits.ts";
import { findAccount } from "../users.ts";
import { verificationMail } from "./account-mails.ts";
import { issueEmailToken } from "./email-tokens.ts";

/** The mailer of mails with a link, and the addresses they name. */
export interface LinkMailer {
  mailer: Mailer;
  publicUrl: string;
  linkUrl: string;
}

/** The mailer of a sign-up or a claim, whose address may be a stranger's: at most one mail an hour goes to it. */
export interface VerificationMailer extends LinkMailer {
  verificationMails: VerificationMails;
}

interface Recipient {
  id: UserId;
  email: string;
}

/**
 * Mails a link that verifies the address of a new account, after the commit. Does nothing if mail is not configured, or
 * if the address got such a mail in the last hour.
 */
export async function mailVerification(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { verificationMails, ...mailer }: VerificationMailer,
  account: Recipient,
): Promise<void> {
  if (!mailer.mailer.isConfigured || !verificationMails.isAllowed(account.email)) return;
  await mailLink(tx, context, mailer, account);
  tx.afterCommit(() => verificationMails.count(account.email));
}

async function mailLink(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { mailer, publicUrl, linkUrl }: LinkMailer,
  { id, email }: Recipient,
): Promise<void> {
  const token = await issueEmailToken(tx, { user_id: id, purpose: "verify", email });
  tx.afterCommit(() => mailer.send(verificationMail({ publicUrl, linkUrl, to: email, token })));
  await audit(tx, context, "email.verification_sent", { subject: { kind: "user", id } });
}

/**
 * Mails the caller a link that verifies their address. Earlier links stay valid.
 *
 * @throws CONFLICT the address is already verified, or mail is not configured
 */
export async function sendVerification(context: SignedIn & LinkMailer): Promise<void> {
  const { actor, control, mailer } = context;
  await control.write(async (tx) => {
    const account = await findAccount(tx, actor.email);
    if (account?.id !== actor.userId) throw unauthorized();
    if (account.email_verified_at !== null)
      throw conflict("email_already_verified", "Your e-mail address is already verified.");
    if (!mailer.isConfigured)
      throw conflict("mail_not_configured", "This installation sends no mail. Ask its operator.");
    await mailLink(tx, context, context, account);
  });
}
