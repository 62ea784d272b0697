import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import type { Booking } from "../rules/booking.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { offerAll } from "../wishes/offer.ts";
import { settleOffers } from "../wishes/settle-offers.ts";
import { checkBooking } from "./check-booking.ts";
import { requireMayChange } from "./session-states.ts";
import { requireVisible, type SessionRow, sessionEntity } from "./sessions.queries.ts";
import type { SessionChange } from "./sessions.schemas.ts";
import type { Session } from "./sessions.shapes.ts";
import { takeUp } from "./take-up.ts";
import { participantsOf, tell, tellLeft } from "./tell.ts";

interface Input {
  sessionId: PlanningSessionId;
  change: SessionChange;
}

/** Whether what the caller books or moves is a request. */
export const isRequest = (actor: MemberActor, { confirm_requests }: Settings): boolean =>
  confirm_requests && !permits(actor, "planning:manage");

/**
 * Changes a session: its times, what it takes up, its words. All rules apply as to a new one.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, FORBIDDEN; CONFLICT it has begun or is over; with the list of all that is against it
 */
export async function changeSession(context: InOrganization, input: Input): Promise<JsonOf<Session>> {
  authorize(context.actor, "planning:book", "planning:manage");
  return context.tenant.write((tx) => changeOne(tx, context, input));
}

/** Posting: as `changeSession`. */
export async function changeOne(
  tx: Tx<"tenant">,
  by: InOrganization,
  { sessionId, change }: Input,
): Promise<JsonOf<Session>> {
  await requireVisible(tx, sessionId, by.actor);
  const row = await sessionEntity.row(tx, { sessionId });
  const settings = await settingsOf(tx);
  const moved = await move(tx, by, row, change, settings);
  await announce(tx, by, [moved]);
  return sessionEntity.read(tx, sessionId);
}

/** A session before and after it was moved. */
interface Moved {
  row: SessionRow;
  booking: Booking;
  /** Whether it is a request now, because of who moved it. */
  isAsked: boolean;
  /** Whether mails and calendars show it in another way. */
  isShown: boolean;
  /** Who took part before. */
  participants: PersonId[];
}

/** What a school confirms: not the words. */
const taken = ({ start_at, end_at, aircraft_id, instructor_id, room_id, lesson_id, night, student_ids }: Booking) =>
  JSON.stringify([start_at, end_at, aircraft_id, instructor_id, room_id, lesson_id, night, student_ids]);

/** As `changeSession`, inside a transaction, before `announce`. */
export async function move(
  tx: Tx<"tenant">,
  by: InOrganization,
  row: SessionRow,
  { student_ids, ...change }: SessionChange,
  settings: Settings,
): Promise<Moved> {
  const { id } = row;
  const present = await requireMayChange(tx, by.actor, row);
  const booking = { ...row, ...change, student_ids: student_ids ?? present };
  const isSame = taken(booking) === taken({ ...row, student_ids: present });
  const isAsked = isRequest(by.actor, settings) && (row.status === "requested" || !isSame);
  const participants = await participantsOf(tx, id);
  const resources = await checkBooking(tx, by.actor, booking, settings);
  await changeRow(tx, by, sessionEntity, {
    id,
    action: "planning_session.changed",
    set: {
      ...change,
      ...(isAsked && { status: "requested" as const }),
      sequence: row.sequence + 1,
      updated_at: tx.now,
    },
    also: () => takeUp(tx, id, booking, resources),
  });
  const isShown = !isSame || (change.title !== undefined && change.title !== row.title);
  return { row, booking, isAsked, isShown, participants };
}

/** Tells the people, and those who wait. Once all sessions are moved: one may take what another leaves. */
export async function announce(tx: Tx<"tenant">, by: InOrganization, moves: readonly Moved[]): Promise<void> {
  const ids = moves.filter(({ isShown }) => isShown).map(({ row }) => row.id);
  await tell(tx, ids, moves.some(({ isAsked }) => isAsked) ? "session_requested" : "session_moved");
  for (const { row, booking, participants } of moves) {
    await tellLeft(tx, row, participants);
    await settleOffers(tx, by, booking);
  }
  await offerAll(
    tx,
    by,
    moves.map(({ row }) => row),
  );
}
