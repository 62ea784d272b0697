import { and, asc, eq, gt, inArray, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import type { SessionId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";

/** Small enough that requests do not wait long for the database. */
const batch = 100;

/**
 * Deletes the sessions that were revoked or expired before a moment. A session is kept while a session handed on from it
 * exists, so that the chain between them stays complete.
 *
 * @returns the number of deleted sessions
 */
export async function removeEndedSessions(context: Context, { before }: { before: Instant }): Promise<number> {
  const { control } = context;
  let removed = 0;
  for (let after: SessionId | undefined; ; ) {
    const page = await control.read((reader) => pageAfter(reader, after));
    const ended = page.filter(({ idle_until, revoked_at }) => idle_until < before || (revoked_at ?? before) < before);
    if (ended.length > 0) {
      const ids = ended.map(({ id }) => id);
      await control.write(async (tx) => {
        await tx.delete(sessions).where(inArray(sessions.id, ids));
        await audit(tx, context, "sessions.removed", {
          subject: { kind: "sessions", id: "ended" },
          after: { count: ids.length, ended_before: before },
        });
      });
      removed += ended.length;
    }
    const last = page.at(-1);
    // Ids sort by creation time, and a session created after `before` cannot have ended before it.
    if (last === undefined || last.created_at >= before) return removed;
    after = last.id;
    await yieldToEventLoop();
  }
}

const pageAfter = (reader: Reader<"control">, after: SessionId | undefined) => {
  const { id, created_at, idle_until, revoked_at } = sessions;
  const handedOn = alias(sessions, "handed_on");
  const handedOnFromIt = reader.select({ id: handedOn.id }).from(handedOn).where(eq(handedOn.handed_on_from, id));
  return reader
    .select({ id, created_at, idle_until, revoked_at })
    .from(sessions)
    .where(and(after && gt(id, after), notExists(handedOnFromIt)))
    .orderBy(asc(id))
    .limit(batch);
};
