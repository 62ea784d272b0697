import { and, eq, isNull, ne } from "drizzle-orm";
import type { SessionId, UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { endChallenges } from "../mfa/remove-second-factor.ts";
import { oauthFlows } from "../oauth/oauth.tables.ts";

/**
 * Ends an account's sessions, but for one that may stay, and whatever somebody has begun with what no longer counts:
 * sign-ins that wait for a second factor, and the linking of a provider's account.
 *
 * @returns the sessions that were open
 */
export async function endSessionsOf(
  tx: Tx<"control">,
  userId: UserId,
  { except }: { except?: SessionId } = {},
): Promise<SessionId[]> {
  await endChallenges(tx, userId);
  await tx.delete(oauthFlows).where(eq(oauthFlows.user_id, userId));
  const ended = await tx
    .update(sessions)
    .set({ revoked_at: tx.now })
    .where(and(eq(sessions.user_id, userId), isNull(sessions.revoked_at), except && ne(sessions.id, except)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
