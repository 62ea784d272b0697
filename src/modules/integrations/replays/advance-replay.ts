import { and, eq, isNull, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { deliveries, isPending, webhookEndpoints } from "../../../events/events.tables.ts";
import { replayBatch } from "../../../events/replay-batch.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { findReplay, runningReplay } from "./replays.queries.ts";
import { replays } from "./replays.tables.ts";

/** Events in one transaction, few enough that other writes do not wait long. */
const mostEvents = 100;
/**
 * Nothing is queued while so many deliveries are pending, at the target endpoint or at all endpoints. So the deliveries of
 * new events do not wait behind those of a replay.
 */
const mostPending = 1000;
/** Transactions in one call. */
const mostBatches = 20;

/**
 * Advances the school's running replay until it has queued as many deliveries as may be pending.
 *
 * @returns the number of processed events, and whether the replay is still running
 */
export async function advanceReplay(context: TenantContext): Promise<{ considered: number; isRunning: boolean }> {
  const { tenant } = context;
  let considered = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    // A read first: an empty write transaction would cost a commit.
    const replay = await tenant.read(runningReplay);
    if (replay === undefined) return { considered, isRunning: false };
    if ((await tenant.read((reader) => batchSize(reader, replay))) === 0) break;
    considered += await tenant.write((tx) => processBatch(tx, context));
    await yieldToEventLoop();
  }
  return { considered, isRunning: (await tenant.read(runningReplay)) !== undefined };
}

async function processBatch(tx: Tx<"tenant">, context: TenantContext): Promise<number> {
  const replay = await runningReplay(tx);
  if (replay === undefined) return 0;
  const limit = await batchSize(tx, replay);
  if (limit === 0) return 0;
  const { considered, queued, last } = await replayBatch(tx, replay, { after: replay.position, limit });
  const isDone = considered < limit;
  await tx
    .update(replays)
    .set({
      considered: replay.considered + considered,
      queued: replay.queued + queued,
      ...(last && { position: last.id, position_at: last.at }),
      ...(isDone && { status: "done", finished_at: tx.now }),
    })
    .where(eq(replays.id, replay.id));
  if (isDone) {
    const after = await findReplay(tx, replay.id);
    await audit(tx, context, "replay.finished", { subject: { kind: "replay", id: replay.id }, after });
  }
  return considered;
}

/** Returns the number of events that may be replayed now, if each is queued for every target endpoint. */
async function batchSize(
  reader: Reader<"tenant">,
  { endpoint_id }: { endpoint_id: EndpointId | null },
): Promise<number> {
  const room = mostPending - (await countPending(reader, endpoint_id));
  if (room <= 0) return 0;
  const endpoints = endpoint_id === null ? await countEnabled(reader) : 1;
  return Math.min(mostEvents, Math.max(1, Math.floor(room / Math.max(1, endpoints))));
}

/** Counts the pending deliveries, of one endpoint or of all, up to `mostPending`. */
async function countPending(reader: Reader<"tenant">, endpointId: EndpointId | null): Promise<number> {
  const where = and(isPending, endpointId === null ? undefined : eq(deliveries.endpoint_id, endpointId));
  const [row] = await reader.values<[number]>(
    sql`select count(*) from (select 1 from ${deliveries} where ${where} limit ${mostPending})`,
  );
  return row?.[0] ?? 0;
}

const countEnabled = (reader: Reader<"tenant">): Promise<number> =>
  reader.$count(webhookEndpoints, and(eq(webhookEndpoints.enabled, true), isNull(webhookEndpoints.deleted_at)));
