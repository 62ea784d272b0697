import { and, asc, eq, inArray, lt, notExists } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { firstEventIdAt } from "../../events/emit.ts";
import { deliveries, events } from "../../events/events.tables.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import type { Reader } from "../../storage/store.ts";

/** So few at a time that nobody waits for the database meanwhile: each may have many deliveries, with bodies. */
const batch = 100;

/**
 * Deletes the events that occurred before a moment, with their deliveries and attempts. One that somebody is still to
 * be told of stays until that has ended.
 *
 * @returns how many there were
 */
export async function removeOldEvents(context: TenantContext, { before }: { before: Instant }): Promise<number> {
  const { tenant } = context;
  let removed = 0;
  // Asked outside of a transaction first: a write would put the file to work for nothing.
  while ((await tenant.read((reader) => oldEvents(reader, before, 1))).length > 0) {
    removed += await tenant.write(async (tx) => {
      const ids = (await oldEvents(tx, before, batch)).map(({ id }) => id);
      await tx.delete(events).where(inArray(events.id, ids));
      await audit(tx, context, "events.removed", {
        subject: { kind: "events", id: "old" },
        after: { count: ids.length, occurred_before: before },
      });
      return ids.length;
    });
  }
  return removed;
}

const oldEvents = (reader: Reader<"tenant">, before: Instant, limit: number) =>
  reader
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.id, firstEventIdAt(before)), notExists(deliveriesUnderWay(reader))))
    .orderBy(asc(events.id))
    .limit(limit);

const deliveriesUnderWay = (reader: Reader<"tenant">) =>
  reader
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.eventId, events.id), inArray(deliveries.status, ["pending", "delivering"])));
