import { and, inArray, isNull, sql } from "drizzle-orm";
import type { SessionId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";

/**
 * Ends a session and all that stem from it: those that it handed on, and those that they did. Whoever had its token could
 * have made them, so whatever is against it is against them.
 *
 * @returns those of them that were not ended by hand before, itself left out
 */
export async function endWithHandedOn(tx: Tx<"control">, sessionId: SessionId): Promise<SessionId[]> {
  const { id, handed_on_from: handedOnFrom } = sessions;
  const family = sql`(with recursive family (id) as (
    select ${sessionId} union select ${id} from ${sessions} join family on ${handedOnFrom} = family.id
  ) select id from family)`;
  const ended = await tx
    .update(sessions)
    .set({ revoked_at: tx.now })
    .where(and(inArray(id, family), isNull(sessions.revoked_at)))
    .returning({ id });
  return ended.flatMap((session) => (session.id === sessionId ? [] : [session.id]));
}
