import { authorize } from "../../../core/actor.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PlanningSessionId, SeriesId } from "../planning.tables.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { settleOffers } from "../wishes/settle-offers.ts";
import { checkBooking } from "./check-booking.ts";
import { isRequest } from "./move-session.ts";
import { sessionEntity } from "./sessions.queries.ts";
import type { NewSession } from "./sessions.schemas.ts";
import type { Session } from "./sessions.shapes.ts";
import { takeUp } from "./take-up.ts";
import { tell } from "./tell.ts";

/**
 * Books a session, or requests it if the school confirms what students book.
 *
 * @throws VALIDATION_ERROR, FORBIDDEN; CONFLICT with the list of all that is against it
 */
export async function bookSession(context: InOrganization, input: NewSession): Promise<JsonOf<Session>> {
  authorize(context.actor, "planning:book", "planning:manage");
  return context.tenant.write((tx) => bookOne(tx, context, input));
}

/** Posting: as `bookSession`. */
export async function bookOne(tx: Tx<"tenant">, by: InOrganization, input: NewSession): Promise<JsonOf<Session>> {
  const session = await book(tx, by, input, { settings: await settingsOf(tx) });
  await tellBooked(tx, [session.value]);
  return session;
}

interface Booked {
  settings: Settings;
  series_id?: SeriesId | null;
}

/** As `bookSession`, inside a transaction, and before `tellBooked`. */
export async function book(
  tx: Tx<"tenant">,
  by: InOrganization,
  { student_ids, ...input }: NewSession,
  { settings, series_id = null }: Booked,
): Promise<JsonOf<Session>> {
  const { actor } = by;
  const resources = await checkBooking(tx, actor, { ...input, student_ids }, settings);
  const status = isRequest(actor, settings) ? "requested" : "planned";
  const id: PlanningSessionId = newIdAt(tx.now);
  const stamps = { created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
  return addRow(tx, by, sessionEntity, {
    action: status === "requested" ? "planning_session.requested" : "planning_session.booked",
    row: { id, ...input, status, series_id, sequence: 0, ...stamps },
    async also() {
      await takeUp(tx, id, input, resources);
      await settleOffers(tx, by, { ...input, student_ids });
    },
  });
}

/** Posting: queues the mails about sessions that were booked together. */
export const tellBooked = (tx: Tx<"tenant">, sessions: readonly Session[]): Promise<void> =>
  tell(
    tx,
    sessions.map(({ id }) => id),
    sessions[0]?.status === "requested" ? "session_requested" : "session_booked",
  );
