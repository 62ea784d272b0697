import { and, asc, eq, gt, inArray, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { SessionId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";

/** So few at a time that nobody waits for the database meanwhile. */
const batch = 500;

/**
 * Deletes the sessions that ended before a moment, by anybody's hand or by themselves; one that was handed on is deleted
 * before the one it came from, since what those in between are known by must last as long as they do.
 *
 * @returns how many there were
 */
export async function removeEndedSessions(context: Context, { before }: { before: Instant }): Promise<number> {
  const { control } = context;
  let removed = 0;
  for (let after: SessionId | undefined; ; ) {
    const page = await control.read((reader) => pageAfter(reader, after));
    const ended = page.filter(
      ({ idle_until: idleUntil, revoked_at: revokedAt }) => idleUntil < before || (revokedAt ?? before) < before,
    );
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
    // Ids sort by time of birth, and what was born later cannot have ended earlier.
    if (last === undefined || last.created_at >= before) return removed;
    after = last.id;
  }
}

const pageAfter = (reader: Reader<"control">, after: SessionId | undefined) => {
  const { id, created_at: createdAt, idle_until: idleUntil, revoked_at: revokedAt } = sessions;
  const handedOn = alias(sessions, "handed_on");
  const stemFromIt = reader.select({ id: handedOn.id }).from(handedOn).where(eq(handedOn.handed_on_from, id));
  return reader
    .select({ id, created_at: createdAt, idle_until: idleUntil, revoked_at: revokedAt })
    .from(sessions)
    .where(and(after && gt(id, after), notExists(stemFromIt)))
    .orderBy(asc(id))
    .limit(batch);
};
