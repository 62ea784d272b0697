import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { ReplayId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findReplay } from "./replays.queries.ts";
import type { Replay } from "./replays.shapes.ts";
import { replays } from "./replays.tables.ts";

/**
 * Ends a replay where it is. What it has queued is delivered all the same.
 *
 * @throws NOT_FOUND; CONFLICT it is not running
 */
export async function cancelReplay(context: TenantContext, { replayId }: { replayId: ReplayId }): Promise<Replay> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const before = await findReplay(tx, replayId);
    if (before.status !== "running") throw conflict("wrong_status", `The replay is ${before.status}, not running.`);
    await tx.update(replays).set({ status: "cancelled", finished_at: tx.now }).where(eq(replays.id, replayId));
    const after = await findReplay(tx, replayId);
    await audit(tx, context, "replay.cancelled", { subject: { kind: "replay", id: replayId }, before, after });
    return after;
  });
}
