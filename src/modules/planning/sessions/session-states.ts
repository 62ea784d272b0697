import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import type { PlanningSessionId, SessionStatus } from "../planning.tables.ts";
import { offerAll } from "../wishes/offer.ts";
import { requireOwn } from "./may-book.ts";
import { type SessionRow, sessionEntity, studentsOf } from "./sessions.queries.ts";
import type { Session } from "./sessions.shapes.ts";
import { release } from "./take-up.ts";
import { tell } from "./tell.ts";

/** @throws CONFLICT it has another status */
export function requireStatus({ status }: Pick<SessionRow, "status">, ...wanted: readonly SessionStatus[]): void {
  if (!wanted.includes(status)) throw wrongStatus("session", status, ...wanted);
}

/**
 * Checks that the caller may move or cancel a session: members without `planning:manage` their own, until it begins.
 *
 * @returns its students
 * @throws FORBIDDEN it is not the caller's own; CONFLICT it is neither `requested` nor `planned`, or has begun
 */
export async function requireMayChange(tx: Tx<"tenant">, actor: MemberActor, row: SessionRow): Promise<PersonId[]> {
  requireStatus(row, "requested", "planned");
  const student_ids = await studentsOf(tx, row.id);
  if (permits(actor, "planning:manage")) return student_ids;
  await requireOwn(tx, actor, { ...row, student_ids });
  if (row.start_at <= tx.now)
    throw conflict("wrong_status", "The session has begun. Ask the school to change it.", {
      status: row.status,
    });
  return student_ids;
}

/** @throws CONFLICT */
function requireBegun({ status, start_at }: Pick<SessionRow, "status" | "start_at">, now: Instant): void {
  if (start_at > now) throw conflict("wrong_status", `The session is ${status} and has not begun.`, { status });
}

const permission = "planning:manage";

/** @throws NOT_FOUND; CONFLICT it is not `requested` */
export const confirmSession = changeVerb(sessionEntity, {
  permission,
  action: "confirmed",
  async set(_, row) {
    requireStatus(row, "requested");
    return { status: "planned" as const, sequence: row.sequence + 1 };
  },
  also: (tx, id) => tell(tx, [id], "session_booked"),
});

/** @throws NOT_FOUND; CONFLICT it is not `checked_in`, or has not begun */
export const completeSession = changeVerb(sessionEntity, {
  permission,
  action: "completed",
  async set(tx, row) {
    requireStatus(row, "checked_in");
    requireBegun(row, tx.now);
    return { status: "completed" as const };
  },
});

/** Nobody came: what is left of the session is free. @throws NOT_FOUND; CONFLICT it is not `planned`, or has not begun */
export async function noShow(
  context: InOrganization,
  { sessionId }: { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "planned");
    requireBegun(row, tx.now);
    const session = await changeRow(tx, context, sessionEntity, {
      id: sessionId,
      action: "planning_session.no_show",
      set: { status: "no_show", cancelled_at: tx.now, sequence: row.sequence + 1, updated_at: tx.now },
      also: () => release(tx, sessionId),
    });
    await offerAll(tx, context, [row]);
    return session;
  });
}
