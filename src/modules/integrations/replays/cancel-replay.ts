import { authorize } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { ReplayId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { findReplay, replayEntity } from "./replays.queries.ts";
import type { Replay } from "./replays.shapes.ts";

/**
 * Stops a replay. Deliveries that it has queued are still sent.
 *
 * @throws NOT_FOUND; CONFLICT it is not running
 */
export async function cancelReplay(context: TenantContext, { replayId }: { replayId: ReplayId }): Promise<Replay> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const { status } = await findReplay(tx, replayId);
    if (status !== "running") throw wrongStatus("replay", status, "running");
    return changeRow(tx, context, replayEntity, {
      id: replayId,
      action: "replay.cancelled",
      set: { status: "cancelled", finished_at: tx.now },
    });
  });
}
