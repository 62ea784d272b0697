import { eq } from "drizzle-orm";
import { conflict, invalid, refused, unauthorized } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { requireUsable } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { replacePassword } from "./replace-password.ts";

type ChangeContext = SignedIn & NoticeMailer & { passwords: Passwords; oneAtATime: OneAtATime };

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

const wrongPassword = () => refused("password_wrong", "The current password is wrong.");

/**
 * Changes the caller's password, ends the other sessions and makes open reset links void.
 *
 * @throws CONFLICT         the account has no password, since it signs in through a provider; or another change is running
 * @throws VALIDATION_ERROR the new password is the e-mail address, or the current one
 * @throws UNAUTHORIZED     the current password is wrong
 */
export async function changePassword(context: ChangeContext, change: PasswordChange): Promise<void> {
  const { actor, oneAtATime } = context;
  requireUsable(change.newPassword, actor, "new_password");
  // A change costs two hashes, and all requests share their queue.
  await oneAtATime(`password ${actor.userId}`, () => replaceChecked(context, change));
}

async function replaceChecked(context: ChangeContext, { currentPassword, newPassword }: PasswordChange): Promise<void> {
  const { actor, control, passwords } = context;
  const checked = await control.read((reader) => hashOf(reader, actor.userId));
  if (checked === null) {
    throw conflict("password_not_set", "This account has no password. Set one: `POST /auth/password/forgot`.");
  }
  if (!(await passwords.verify(checked, currentPassword))) throw wrongPassword();
  if (newPassword.normalize("NFKC") === currentPassword.normalize("NFKC"))
    throw invalid({ path: "new_password", code: "impossible", message: "Must not be the current password." });
  const passwordHash = await passwords.hash(newPassword);

  await control.write(async (tx) => {
    // The password may have changed while it was hashed.
    if ((await hashOf(tx, actor.userId)) !== checked) throw wrongPassword();
    const ended = await replacePassword(tx, { userId: actor.userId, passwordHash, except: actor.sessionId });
    const subject = { kind: "user", id: actor.userId };
    await audit(tx, context, "password.changed", { subject, after: { session_ids: ended } });
    await mailNotice(tx, context, { userId: actor.userId, notice: "password_changed" });
  });
}

async function hashOf(reader: Reader<"control">, userId: UserId): Promise<string | null> {
  const [row] = await reader.select({ hash: users.password_hash }).from(users).where(eq(users.id, userId));
  if (!row) throw unauthorized();
  return row.hash;
}
