import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { users } from "../accounts.tables.ts";
import { isEnrolled } from "../mfa/mfa.queries.ts";
import { removeSecondFactor } from "../mfa/remove-second-factor.ts";
import { dropIdentities } from "../oauth/drop-identities.ts";
import { replacePassword } from "../passwords/replace-password.ts";

interface TakeOver {
  userId: UserId;
  passwordHash: string;
}

/**
 * Gives an account whose address was never proved to whoever has just proved it. Anybody could have made it, so nothing
 * that whoever did could come back by stays: password, sessions, second factor, accounts at providers. Memberships and
 * records are the account's and stay.
 *
 * @returns what was dropped, for the audit log
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
