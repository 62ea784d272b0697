import { and, asc, eq, inArray, isNotNull, lt, notExists, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { EventId } from "../../../core/ids.ts";
import { firstEventIdAt } from "../../../events/emit.ts";
import { deliveries, events, webhookEndpoints } from "../../../events/events.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { replays } from "../replays/replays.tables.ts";

/**
 * The size of a transaction, small enough that other writes do not wait long. Deliveries have their own limit, since an
 * event may have any number of them, each with up to five attempts and responses.
 */
const mostEvents = 100;
const mostDeliveries = 200;

/**
 * Deletes the events that occurred before an instant, with their deliveries and attempts; the replays that finished before
 * it; and the rows of endpoints that were deleted before it and have no deliveries left. It keeps an event with unfinished
 * deliveries.
 *
 * @returns the number of deleted events
 */
export async function removeOldEvents(context: TenantContext, { before }: { before: Instant }): Promise<number> {
  const { tenant } = context;
  const removed = await inBatches(tenant, {
    next: (reader) => oldEvents(reader, before),
    async work(tx, old) {
      const count = await removeSome(
        tx,
        old.map(({ id }) => id),
      );
      const subject = { kind: "events", id: "old" };
      if (count > 0) await audit(tx, context, "events.removed", { subject, after: { count, occurred_before: before } });
      return count;
    },
  });
  await removeOldReplays(context, before);
  await removeDeletedEndpoints(context, before);
  return removed;
}

/** Deletes deliveries of these events, and the events without deliveries. @returns the number of deleted events */
async function removeSome(tx: Tx<"tenant">, ids: readonly EventId[]): Promise<number> {
  const list = JSON.stringify(ids);
  await tx.run(sql`
    delete from ${deliveries} where id in (
      select ${deliveries.id} from json_each(${list}) as old
        cross join ${deliveries} on ${deliveries.event_id} = old.value
      limit ${mostDeliveries})`);
  const removed = await tx
    .delete(events)
    .where(
      and(
        inArray(events.id, [...ids]),
        notExists(tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.event_id, events.id))),
      ),
    )
    .returning({ id: events.id });
  return removed.length;
}

const oldEvents = (reader: Reader<"tenant">, before: Instant) =>
  reader
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.id, firstEventIdAt(before)), notExists(unfinishedDeliveries(reader))))
    .orderBy(asc(events.id))
    .limit(mostEvents);

const unfinishedDeliveries = (reader: Reader<"tenant">) =>
  reader
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.event_id, events.id), inArray(deliveries.status, ["pending", "delivering"])));

async function removeOldReplays(context: TenantContext, before: Instant): Promise<void> {
  const old = and(isNotNull(replays.finished_at), lt(replays.finished_at, before));
  const count = await context.tenant.read((reader) => reader.$count(replays, old));
  if (count === 0) return;
  await context.tenant.write(async (tx) => {
    await tx.delete(replays).where(old);
    const subject = { kind: "replays", id: "old" };
    await audit(tx, context, "replays.removed", { subject, after: { count, finished_before: before } });
  });
}

async function removeDeletedEndpoints(context: TenantContext, before: Instant): Promise<void> {
  const deleted = (reader: Reader<"tenant">) =>
    and(
      lt(webhookEndpoints.deleted_at, before),
      notExists(
        reader.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.endpoint_id, webhookEndpoints.id)),
      ),
    );
  const count = await context.tenant.read((reader) => reader.$count(webhookEndpoints, deleted(reader)));
  if (count === 0) return;
  await context.tenant.write(async (tx) => {
    await tx.delete(webhookEndpoints).where(deleted(tx));
    const subject = { kind: "webhook_endpoints", id: "deleted" };
    await audit(tx, context, "webhook_endpoints.removed", { subject, after: { count, deleted_before: before } });
  });
}
