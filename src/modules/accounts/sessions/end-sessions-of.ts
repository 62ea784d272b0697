import { and, eq, isNull, ne } from "drizzle-orm";
import type { SessionId, UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { endChallenges } from "../mfa/remove-second-factor.ts";
import { oauthFlows } from "../oauth/oauth.tables.ts";

/**
 * Ends the sessions of an account, with an optional exception, its sign-ins that wait for a second factor, and its flows
 * that link a provider.
 *
 * @returns the sessions that were not revoked before
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
