import { and, inArray, isNull, sql } from "drizzle-orm";
import type { SessionId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";

/**
 * Ends a session and all sessions handed on from it, directly or indirectly: a thief of its token could have created them.
 *
 * @returns the handed-on sessions that were not revoked before
 */
export async function endWithHandedOn(tx: Tx<"control">, sessionId: SessionId): Promise<SessionId[]> {
  const { id, handed_on_from } = sessions;
  const family = sql`(with recursive family (id) as (
    select ${sessionId} union select ${id} from ${sessions} join family on ${handed_on_from} = family.id
  ) select id from family)`;
  const ended = await tx
    .update(sessions)
    .set({ revoked_at: tx.now })
    .where(and(inArray(id, family), isNull(sessions.revoked_at)))
    .returning({ id });
  return ended.flatMap((session) => (session.id === sessionId ? [] : [session.id]));
}
