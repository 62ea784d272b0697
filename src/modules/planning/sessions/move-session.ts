import { permits } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { offerFreed } from "../wishes/offer.ts";
import { checkBooking, requireOwn, takeUp } from "./check-booking.ts";
import { requireStatus } from "./session-states.ts";
import { requireVisible, type SessionRow, sessionEntity, studentsOf } from "./sessions.queries.ts";
import type { SessionChange } from "./sessions.schemas.ts";
import type { Session } from "./sessions.shapes.ts";
import { participantsOf, tell } from "./tell.ts";

interface Input {
  sessionId: PlanningSessionId;
  change: SessionChange;
}

/**
 * Changes a session: its times, what it takes up, its words. All rules apply as to a new one.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, FORBIDDEN; CONFLICT it has begun or is over; with the list of all that is against it
 */
export const changeSession = (context: InOrganization, { sessionId, change }: Input): Promise<JsonOf<Session>> =>
  context.tenant.write(async (tx) => {
    await requireVisible(tx, sessionId, context.actor);
    const row = await sessionEntity.row(tx, { sessionId });
    return move(tx, context, row, change, await settingsOf(tx));
  });

/** As `changeSession`, inside a transaction. */
export async function move(
  tx: Tx<"tenant">,
  by: InOrganization,
  row: SessionRow,
  { student_ids, ...change }: SessionChange,
  settings: Settings,
  quiet = false,
): Promise<JsonOf<Session>> {
  const { id } = row;
  requireStatus(row, "requested", "planned");
  const present = await studentsOf(tx, id);
  const isManager = permits(by.actor, "planning:manage");
  if (!isManager) await requireOwn(tx, by.actor, { ...row, student_ids: present });
  const booking = { ...row, ...change, student_ids: student_ids ?? present };
  const participants = await participantsOf(tx, id);
  const resources = await checkBooking(tx, by.actor, booking, settings);
  const isRequest = settings.confirm_requests && !isManager;
  const moved = await changeRow(tx, by, sessionEntity, {
    id,
    action: "planning_session.changed",
    set: {
      ...change,
      ...(isRequest && { status: "requested" as const }),
      sequence: row.sequence + 1,
      updated_at: tx.now,
    },
    also: () => takeUp(tx, id, booking, resources),
  });
  if (!quiet) await tell(tx, id, isRequest ? "session_requested" : "session_moved", participants);
  await offerFreed(tx, by, row);
  return moved;
}
