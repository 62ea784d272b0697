import { eq } from "drizzle-orm";
import { unauthorized } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Tx } from "../../../storage/store.ts";
import { type Notice, noticeMail } from "./account-mails.ts";

/** The mailer of notices and the address they name. */
export interface NoticeMailer {
  mailer: Mailer;
  publicUrl: string;
}

/**
 * Mails an account a notice after the commit. Only to a verified address: otherwise anyone could sign up with a
 * stranger's address and fill their mailbox.
 */
export async function mailNotice(
  tx: Tx<"control">,
  { mailer, publicUrl }: NoticeMailer,
  { userId, notice }: { userId: UserId; notice: Notice },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const [account] = await tx.select().from(users).where(eq(users.id, userId));
  if (!account) throw unauthorized();
  const { email, language, email_verified_at } = account;
  if (email_verified_at === null) return;
  tx.afterCommit(() => mailer.send(noticeMail(notice, { to: email, language, publicUrl })));
}
