import { conflict } from "../../../core/errors.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import type { SessionStatus } from "../planning.tables.ts";
import { release } from "./check-booking.ts";
import { type SessionRow, sessionEntity } from "./sessions.queries.ts";
import { tell } from "./tell.ts";

/** @throws CONFLICT it has another status */
export function requireStatus({ status }: Pick<SessionRow, "status">, ...wanted: readonly SessionStatus[]): void {
  if (!wanted.includes(status)) throw conflict("wrong_status", `The session is ${status}, not ${wanted.join(" or ")}.`);
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
  also: (tx, id) => tell(tx, id, "session_booked"),
});

/** @throws NOT_FOUND; CONFLICT it is not `checked_in` */
export const completeSession = changeVerb(sessionEntity, {
  permission,
  action: "completed",
  async set(_, row) {
    requireStatus(row, "checked_in");
    return { status: "completed" as const };
  },
});

/** Nobody came. @throws NOT_FOUND; CONFLICT it is not `planned`, or has not begun */
export const noShow = changeVerb(sessionEntity, {
  permission,
  action: "no_show",
  async set(tx, row) {
    requireStatus(row, "planned");
    if (row.start_at > tx.now) throw conflict("wrong_status", "The session is planned and has not begun.");
    return { status: "no_show" as const, cancelled_at: tx.now, sequence: row.sequence + 1 };
  },
  also: release,
});
