import { permits } from "../../../core/actor.ts";
import { hours, shift } from "../../../core/clock.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { followingOf } from "../series/following.queries.ts";
import { settingsOf } from "../settings/settings.ts";
import { offerFreed } from "../wishes/offer.ts";
import { release, requireOwn } from "./check-booking.ts";
import { requireStatus } from "./session-states.ts";
import { requireVisible, type SessionRow, sessionEntity, studentsOf } from "./sessions.queries.ts";
import type { Cancellation } from "./sessions.schemas.ts";
import type { Session } from "./sessions.shapes.ts";
import { tell } from "./tell.ts";

/**
 * Cancels a session, or it and the later ones of its series. What it took up is free at once.
 *
 * @throws NOT_FOUND; FORBIDDEN it is not the caller's own; CONFLICT it has begun or is over
 */
export const cancelSession = (
  context: InOrganization,
  { sessionId, scope, ...why }: Cancellation & { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> =>
  context.tenant.write(async (tx) => {
    const { actor } = context;
    await requireVisible(tx, sessionId, actor);
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "requested", "planned");
    if (!permits(actor, "planning:manage"))
      await requireOwn(tx, actor, { ...row, student_ids: await studentsOf(tx, sessionId) });
    const rows = scope === "following" ? await followingOf(tx, row) : [row];
    for (const one of rows) await cancel(tx, context, one, why);
    await tell(tx, sessionId, "session_cancelled");
    return sessionEntity.read(tx, sessionId);
  });

async function cancel(
  tx: Tx<"tenant">,
  by: InOrganization,
  row: SessionRow,
  { reason, note }: Pick<Cancellation, "reason" | "note">,
): Promise<void> {
  const { cancel_notice_hours } = await settingsOf(tx);
  await changeRow(tx, by, sessionEntity, {
    id: row.id,
    action: row.status === "requested" ? "planning_session.declined" : "planning_session.cancelled",
    set: {
      status: "cancelled",
      cancellation_reason: reason,
      cancellation_note: note,
      cancelled_at: tx.now,
      cancelled_late: shift(tx.now, hours(cancel_notice_hours)) > row.start_at,
      sequence: row.sequence + 1,
      updated_at: tx.now,
    },
    also: () => release(tx, row.id),
  });
  await offerFreed(tx, by, row);
}
