import { asc, gt, inArray } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import type { SessionId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Reader } from "../../storage/store.ts";
import { sessions } from "./accounts.tables.ts";

/** So few at a time that nobody waits for the database meanwhile. */
const batch = 500;

/**
 * Deletes the sessions that ended before a moment, by anybody's hand or by themselves.
 *
 * @returns how many there were
 */
export async function removeEndedSessions(context: Context, { before }: { before: Instant }): Promise<number> {
  const { control } = context;
  let removed = 0;
  for (let after: SessionId | undefined; ; ) {
    const page = await control.read((reader) => pageAfter(reader, after));
    const ended = page.filter(({ idleUntil, revokedAt }) => idleUntil < before || (revokedAt ?? before) < before);
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
    if (last === undefined || last.createdAt >= before) return removed;
    after = last.id;
  }
}

const pageAfter = (reader: Reader<"control">, after: SessionId | undefined) => {
  const { id, createdAt, idleUntil, revokedAt } = sessions;
  return reader
    .select({ id, createdAt, idleUntil, revokedAt })
    .from(sessions)
    .where(after && gt(id, after))
    .orderBy(asc(id))
    .limit(batch);
};
