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

/** Events in one transaction: so few that nobody waits for it. */
const mostEvents = 100;
/**
 * Nothing is queued on top of so many deliveries, to the endpoint that is wanted or to all: what happens now is not to
 * wait behind what happened once.
 */
const mostPending = 1000;
/** Transactions in one go. */
const mostBatches = 20;

/**
 * Goes on with the school's running replay, as far as there is room for what it queues.
 *
 * @returns how many events were looked at, and whether there is more to do later
 */
export async function workOffReplay(context: TenantContext): Promise<{ considered: number; goesOn: boolean }> {
  const { tenant } = context;
  let considered = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    // Asked outside of a transaction first: a write would put the file to work for nothing.
    const replay = await tenant.read(runningReplay);
    if (replay === undefined) return { considered, goesOn: false };
    if ((await tenant.read((reader) => roomFor(reader, replay))) === 0) break;
    considered += await tenant.write((tx) => workOffBatch(tx, context));
    await yieldToEventLoop();
  }
  return { considered, goesOn: (await tenant.read(runningReplay)) !== undefined };
}

async function workOffBatch(tx: Tx<"tenant">, context: TenantContext): Promise<number> {
  const replay = await runningReplay(tx);
  if (replay === undefined) return 0;
  const limit = await roomFor(tx, replay);
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

/** How many events may be replayed now, each perhaps to every endpoint that is wanted. */
async function roomFor(
  reader: Reader<"tenant">,
  { endpoint_id: endpointId }: { endpoint_id: EndpointId | null },
): Promise<number> {
  const room = mostPending - (await countPending(reader, endpointId));
  if (room <= 0) return 0;
  const endpoints = endpointId === null ? await countEnabled(reader) : 1;
  return Math.min(mostEvents, Math.max(1, Math.floor(room / Math.max(1, endpoints))));
}

/** The deliveries that wait, for one endpoint or for all; no more than matter are counted. */
async function countPending(reader: Reader<"tenant">, endpointId: EndpointId | null): Promise<number> {
  const wanted = and(isPending, endpointId === null ? undefined : eq(deliveries.endpoint_id, endpointId));
  const [row] = await reader.values<[number]>(
    sql`select count(*) from (select 1 from ${deliveries} where ${wanted} limit ${mostPending})`,
  );
  return row?.[0] ?? 0;
}

const countEnabled = (reader: Reader<"tenant">): Promise<number> =>
  reader.$count(webhookEndpoints, and(eq(webhookEndpoints.enabled, true), isNull(webhookEndpoints.deleted_at)));
