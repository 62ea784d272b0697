import { authorize, permits } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import { hours, shift } from "../../../core/clock.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { followingOf } from "../series/following.queries.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { offerAll } from "../wishes/offer.ts";
import { requireMayChange, requireStatus } from "./session-states.ts";
import { requireVisible, type SessionRow, sessionEntity } from "./sessions.queries.ts";
import type { Cancellation } from "./sessions.schemas.ts";
import type { Session } from "./sessions.shapes.ts";
import { release } from "./take-up.ts";
import { tell } from "./tell.ts";

/**
 * Cancels a session, or it and the later ones of its series: all or none. What they took up is free at once.
 *
 * @throws NOT_FOUND; FORBIDDEN one is not the caller's own; CONFLICT it has begun or is over
 */
export async function cancelSession(
  context: InOrganization,
  { sessionId, scope, ...why }: Cancellation & { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> {
  const { actor, tenant } = context;
  authorize(actor, "planning:book", "planning:manage");
  return tenant.write(async (tx) => {
    await requireVisible(tx, sessionId, actor);
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "requested", "planned");
    const rows = scope === "following" ? await followingOf(tx, row) : [row];
    const settings = await settingsOf(tx);
    for (const one of rows) {
      await requireMayChange(tx, actor, one);
      await cancel(tx, context, one, why, settings);
      await yieldToEventLoop();
    }
    await tellCancelled(tx, rows);
    await offerAll(tx, context, rows);
    return sessionEntity.read(tx, sessionId);
  });
}

/** Posting: queues one mail to each who takes part in some of the sessions. */
export const tellCancelled = (tx: Tx<"tenant">, rows: readonly SessionRow[]): Promise<void> =>
  tell(
    tx,
    rows.map(({ id }) => id),
    "session_cancelled",
  );

/** Posting: cancels a session that is `requested` or `planned`, before `tellCancelled` and `offerAll`. @returns it */
export async function cancel(
  tx: Tx<"tenant">,
  by: InOrganization,
  row: SessionRow,
  { reason, note }: Pick<Cancellation, "reason" | "note">,
  { cancel_notice_hours }: Settings,
): Promise<JsonOf<Session>> {
  const was_request = row.status === "requested";
  const ended = permits(by.actor, "planning:manage") ? "declined" : "withdrawn";
  return changeRow(tx, by, sessionEntity, {
    id: row.id,
    action: `planning_session.${was_request ? ended : "cancelled"}`,
    set: {
      status: "cancelled",
      was_request,
      cancellation_reason: reason,
      cancellation_note: note,
      cancelled_at: tx.now,
      cancelled_late: shift(tx.now, hours(cancel_notice_hours)) > row.start_at,
      sequence: row.sequence + 1,
      updated_at: tx.now,
    },
    also: () => release(tx, row.id),
  });
}
