import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Tx } from "../../../storage/store.ts";
import { isEnrolled } from "../mfa/mfa.queries.ts";
import { removeSecondFactor } from "../mfa/remove-second-factor.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import { replacePassword } from "../passwords/replace-password.ts";

interface TakeOver {
  userId: UserId;
  passwordHash: string;
}

/**
 * Gives an account with an unverified address to the caller who has just verified it. Another person may have created
 * the account, so all their means of sign-in are removed: password, sessions, second factor, linked providers.
 * Memberships and data stay.
 *
 * @returns what was removed, for the audit log
 */
export async function takeOver(tx: Tx<"control">, { userId, passwordHash }: TakeOver) {
  const sessionIds = await replacePassword(tx, { userId, passwordHash });
  const hadSecondFactor = await isEnrolled(tx, userId);
  await removeSecondFactor(tx, userId);
  const dropped = await dropIdentities(tx, userId, "all");
  await tx.update(users).set({ email_verified_at: tx.now }).where(eq(users.id, userId));
  return {
    session_ids: sessionIds,
    second_factor_dropped: hadSecondFactor,
    providers_dropped: dropped,
  };
}
