import { inArray, lt } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import type { Reader } from "../../../storage/store.ts";
import { invites } from "../organizations.tables.ts";

/** Small enough that requests do not wait long for the database. */
const batch = 100;

/**
 * Deletes the invites that expired before a moment, claimed or not. The audit log still has who claimed which.
 *
 * @returns the number of deleted invites
 */
export function removeOldInvites(context: Context, { before }: { before: Instant }): Promise<number> {
  return inBatches(context.control, {
    next: (reader) => expiredBefore(reader, before),
    async work(tx, old) {
      const ids = old.map(({ id }) => id);
      await tx.delete(invites).where(inArray(invites.id, ids));
      const subject = { kind: "invites", id: "expired" };
      await audit(tx, context, "invites.removed", { subject, after: { count: ids.length, expired_before: before } });
      return ids.length;
    },
  });
}

const expiredBefore = (reader: Reader<"control">, before: Instant) =>
  reader.select({ id: invites.id }).from(invites).where(lt(invites.expires_at, before)).limit(batch);
