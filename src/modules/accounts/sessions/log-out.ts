import { and, eq, gt, isNull } from "drizzle-orm";
import { unauthorized } from "../../../core/errors.ts";
import type { SessionId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { sessions } from "../accounts.tables.ts";
import { endWithHandedOn } from "./end-with-handed-on.ts";
import { actorOf } from "./sessions.ts";

/**
 * Ends the sessions of the refresh token, of the access token, or of both, and the sessions handed on from them. A refresh
 * token that was already used still names its session; its reuse would end the session anyway.
 *
 * @throws UNAUTHORIZED none of the sessions is open
 */
export async function logOut(
  { control, requestId }: Context,
  { sessionIds }: { sessionIds: SessionId[] },
): Promise<void> {
  if (sessionIds.length === 0) throw unauthorized();
  const ended = await control.write(async (tx) => {
    let count = 0;
    for (const id of new Set(sessionIds)) {
      const open = and(eq(sessions.id, id), isNull(sessions.revoked_at), gt(sessions.idle_until, tx.now));
      const [row] = await tx.select({ user_id: sessions.user_id }).from(sessions).where(open);
      if (!row) continue;
      const handedOn = await endWithHandedOn(tx, id);
      const [account] = await tx.select().from(users).where(eq(users.id, row.user_id));
      const actor = account ? actorOf(account, id) : ({ kind: "anonymous" } as const);
      await audit(tx, { actor, requestId }, "session.ended", {
        subject: { kind: "session", id },
        after: { revoked_at: tx.now, handed_on: handedOn },
      });
      count += 1;
    }
    return count;
  });
  if (ended === 0) throw unauthorized();
}
