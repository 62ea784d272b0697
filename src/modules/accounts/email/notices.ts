import { eq } from "drizzle-orm";
import { unauthorized } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import type { Tx } from "../../../storage/store.ts";
import { users } from "../accounts.tables.ts";
import { type Notice, noticeMail } from "./account-mails.ts";

/** What notices are written and sent with. */
export interface NoticePost {
  mailer: Mailer;
  publicUrl: string;
}

/**
 * Tells an account, once the transaction is committed, what was done to it. Only at an address that was proved: by an
 * account made in somebody else's name anybody could otherwise fill a stranger's mailbox.
 */
export async function postNotice(
  tx: Tx<"control">,
  { mailer, publicUrl }: NoticePost,
  { userId, notice }: { userId: UserId; notice: Notice },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const [account] = await tx.select().from(users).where(eq(users.id, userId));
  if (!account) throw unauthorized();
  const { email, email_verified_at: emailVerifiedAt } = account;
  if (emailVerifiedAt !== null) tx.afterCommit(() => mailer.send(noticeMail(notice, { to: email, publicUrl })));
}
