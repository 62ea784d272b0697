import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { resetMail } from "../email/account-mails.ts";
import { issueEmailToken } from "../email/email-tokens.ts";
import type { Post } from "../email/send-verification.ts";
import { findAccount } from "../users.ts";

/**
 * Mails a link to choose a new password by, if there is somebody to mail it to. Whether there is, nobody learns: it
 * takes a transaction with a row of the audit log in any case, and the mail leaves on its own.
 */
export async function requestReset(context: Context & Post, { email }: { email: string }): Promise<void> {
  const { control, mailer, publicUrl, linkUrl } = context;
  await control.write(async (tx) => {
    const account = await findAccount(tx, email);
    const isReachable = mailer.isConfigured && account !== undefined && account.disabled_at === null;
    const id = isReachable ? account.id : "unknown";
    await audit(tx, context, "password.reset_requested", { subject: { kind: "user", id } });
    if (!isReachable) return;
    const token = await issueEmailToken(tx, { user_id: account.id, purpose: "reset", email });
    tx.afterCommit(() => mailer.send(resetMail({ to: email, publicUrl, linkUrl, token })));
  });
}
