import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { newId, type ReplayId } from "../../../core/ids.ts";
import { nextEvents } from "../../../events/replay-batch.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { requireAddressee } from "../event-log/addressee.ts";
import { findReplay, runningReplay } from "./replays.queries.ts";
import type { NewReplay } from "./replays.schemas.ts";
import type { Replay } from "./replays.shapes.ts";
import { replays } from "./replays.tables.ts";

/**
 * Begins to deliver the events of a period again. They are worked off piece by piece after this, be there a crash in
 * between; what occurs from now on is left out.
 *
 * @throws VALIDATION_ERROR the period is still to come, or there is no such endpoint
 * @throws CONFLICT the endpoint is disabled or not subscribed, or another replay is running
 */
export async function startReplay(context: InOrganization, input: NewReplay): Promise<Replay> {
  const { actor, clock, tenant } = context;
  authorize(actor, "integrations:manage");
  const id: ReplayId = newId(clock);
  const { since, endpoint_id: endpointId = null, type = null, only = "all" } = input;

  return tenant.write(async (tx) => {
    if (since >= tx.now) throw invalid({ path: "since", code: "impossible", message: "It is still to come." });
    if ((await runningReplay(tx)) !== undefined)
      throw conflict("replay_running", "Another replay is running. Wait for it, or cancel it.");
    if (endpointId !== null) await requireAddressee(tx, endpointId, type);
    const [until = tx.now] = [input.until, tx.now].sort();
    const period = { since, until, type };
    const [first] = await nextEvents(tx, period, { after: null, limit: 1 });
    await tx.insert(replays).values({
      id,
      ...period,
      endpoint_id: endpointId,
      only,
      status: "running",
      begins_at: first?.at ?? null,
      considered: 0,
      queued: 0,
      created_by: actor.userId,
      created_at: tx.now,
    });
    const started = await findReplay(tx, id);
    await audit(tx, context, "replay.started", { subject: { kind: "replay", id }, after: started });
    return started;
  });
}
