import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import { nextEvents } from "../../../events/replay-batch.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { requireTargetEndpoint } from "../event-log/target-endpoint.ts";
import { replayEntity, runningReplay } from "./replays.queries.ts";
import type { NewReplay } from "./replays.schemas.ts";
import type { Replay } from "./replays.shapes.ts";

/**
 * Starts a replay of the events of a period. `advanceReplay` then processes it in batches and continues after a crash.
 * Events that occur after the start are not replayed.
 *
 * @throws VALIDATION_ERROR the period is in the future, or there is no such endpoint
 * @throws CONFLICT the endpoint is disabled or not subscribed, or another replay is running
 */
export async function startReplay(context: InOrganization, input: NewReplay): Promise<Replay> {
  const { actor, clock, tenant } = context;
  authorize(actor, "integrations:manage");
  const id = newId<"replay">(clock);
  const { since, endpoint_id, type = null } = input;

  return tenant.write(async (tx) => {
    if (since >= tx.now) throw invalid({ path: "since", code: "impossible", message: "Must not be in the future." });
    if ((await runningReplay(tx)) !== undefined)
      throw conflict("replay_running", "Another replay is running. Wait for it, or cancel it.");
    if (endpoint_id !== undefined) await requireTargetEndpoint(tx, endpoint_id, type);
    const [until = tx.now] = [input.until, tx.now].sort();
    const [first] = await nextEvents(tx, { since, until, type }, { after: null, limit: 1 });
    const start = { status: "running", begins_at: first?.at ?? null, considered: 0, queued: 0 } as const;
    const stamps = { created_by: actor.userId, created_at: tx.now };
    return addRow(tx, context, replayEntity, {
      action: "replay.started",
      row: { id, ...input, until, ...start, ...stamps },
    });
  });
}
