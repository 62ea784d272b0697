import { conflict, unauthorized } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context, SignedIn } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { findAccount } from "../users.ts";
import { verificationMail } from "./account-mails.ts";
import { issueEmailToken } from "./email-tokens.ts";

/** The mailer of mails with a link, and the addresses they name. */
export interface LinkMailer {
  mailer: Mailer;
  publicUrl: string;
  linkUrl: string;
}

/** Mails a link that verifies the address, after the commit. Does nothing if mail is not configured. */
export async function mailVerification(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { mailer, ...urls }: LinkMailer,
  { id, email }: { id: UserId; email: string },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const token = await issueEmailToken(tx, { user_id: id, purpose: "verify", email });
  tx.afterCommit(() => mailer.send(verificationMail({ ...urls, to: email, token })));
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
    await mailVerification(tx, context, context, account);
  });
}
