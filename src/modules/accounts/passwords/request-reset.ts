import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { resetMail } from "../email/account-mails.ts";
import { issueEmailToken } from "../email/email-tokens.ts";
import type { LinkMailer } from "../email/send-verification.ts";
import { findAccount } from "../users.ts";

/**
 * Mails a password reset link, if the address has an enabled account and mail is configured. It runs after the
 * response, so that the time does not reveal that.
 */
export async function requestReset(context: Context & LinkMailer, { email }: { email: string }): Promise<void> {
  const { control, mailer, publicUrl, linkUrl } = context;
  await control.write(async (tx) => {
    const account = await findAccount(tx, email);
    const isReachable = mailer.isConfigured && account !== undefined && account.disabled_at === null;
    const id = isReachable ? account.id : "unknown";
    await audit(tx, context, "password.reset_requested", { subject: { kind: "user", id } });
    if (!isReachable) return;
    const token = await issueEmailToken(tx, { user_id: account.id, purpose: "reset", email });
    const { language } = account;
    tx.afterCommit(() => mailer.send(resetMail({ to: email, language, publicUrl, linkUrl, token })));
  });
}
