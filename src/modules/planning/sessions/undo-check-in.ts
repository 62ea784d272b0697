import { authorize } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { removeDraft } from "../../flights/remove-draft.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { requireStatus } from "./session-states.ts";
import { sessionEntity } from "./sessions.queries.ts";
import type { Session } from "./sessions.shapes.ts";

/**
 * The check-in was a mistake: the session is planned again, and the draft that it started is removed.
 *
 * @throws NOT_FOUND; CONFLICT it is not `checked_in`, its flight is no draft any more, or a record names the flight
 */
export async function undoCheckIn(
  context: InOrganization,
  { sessionId }: { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> {
  authorize(context.actor, "planning:manage");
  return context.tenant.write(async (tx) => {
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "checked_in");
    if (row.flight_id !== null) await removeDraft(tx, context, row.flight_id);
    return changeRow(tx, context, sessionEntity, {
      id: sessionId,
      action: "planning_session.check_in_undone",
      set: { status: "planned", flight_id: null, updated_at: tx.now },
    });
  });
}
