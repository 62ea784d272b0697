import { eq } from "drizzle-orm";
import { backlog, replayBatch } from "../../../events/replay-batch.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { findReplay, runningReplay } from "./replays.queries.ts";
import { replays } from "./replays.tables.ts";

/** Events in one transaction: so few that nobody waits for it. */
const mostEvents = 100;
/** Nothing is queued on top of so many deliveries: what happens now is not to wait behind what happened once. */
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
    if ((await tenant.read(runningReplay)) === undefined) return { considered, goesOn: false };
    if ((await tenant.read(roomFor)) === 0) break;
    considered += await tenant.write((tx) => workOffBatch(tx, context));
  }
  return { considered, goesOn: (await tenant.read(runningReplay)) !== undefined };
}

async function workOffBatch(tx: Tx<"tenant">, context: TenantContext): Promise<number> {
  const replay = await runningReplay(tx);
  const limit = await roomFor(tx);
  if (replay === undefined || limit === 0) return 0;
  const { considered, queued, last } = await replayBatch(tx, replay, { after: replay.position, limit });
  const isDone = considered < limit;
  await tx
    .update(replays)
    .set({
      considered: replay.considered + considered,
      queued: replay.queued + queued,
      ...(last && { position: last.id, positionAt: last.at }),
      ...(isDone && { status: "done", finishedAt: tx.now }),
    })
    .where(eq(replays.id, replay.id));
  if (isDone) {
    const after = await findReplay(tx, replay.id);
    await audit(tx, context, "replay.finished", { subject: { kind: "replay", id: replay.id }, after });
  }
  return considered;
}

/** How many events may be replayed now, each perhaps to every endpoint. */
async function roomFor(reader: Reader<"tenant">): Promise<number> {
  const { pending, endpoints } = await backlog(reader, mostPending);
  const room = mostPending - pending;
  return room <= 0 ? 0 : Math.min(mostEvents, Math.max(1, Math.floor(room / Math.max(1, endpoints))));
}
