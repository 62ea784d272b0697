import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import type { FlightId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { timeZoneOf, today } from "../../../storage/today.ts";
import { type AircraftRow, requireUsable } from "../../fleet/fleet.queries.ts";
import { addDraft } from "../../flights/draft-flight.ts";
import { FlightDraft } from "../../flights/flights.schemas.ts";
import type { PlanningSessionId, SessionKind } from "../planning.tables.ts";
import { flownLesson } from "../rules/lessons.ts";
import { isFlown } from "../rules/on-board.ts";
import { dayOf } from "../rules/presence.ts";
import { resourcesOf } from "./resources-of.ts";
import { requireStatus } from "./session-states.ts";
import { type SessionRow, sessionEntity, studentsOf } from "./sessions.queries.ts";
import type { Session } from "./sessions.shapes.ts";

/**
 * The people are there. A flight or a lesson with an aircraft starts a flight as a draft.
 *
 * @throws NOT_FOUND; CONFLICT it is not `planned` or on a later day, or the aircraft or a person is archived
 */
export async function checkIn(
  context: InOrganization,
  { sessionId }: { sessionId: PlanningSessionId },
): Promise<JsonOf<Session>> {
  authorize(context.actor, "planning:manage");
  return context.tenant.write(async (tx) => {
    const row = await sessionEntity.row(tx, { sessionId });
    requireStatus(row, "planned");
    const on = toLegalDate(dayOf(await timeZoneOf(tx), row.start_at));
    if (on > toLegalDate(await today(tx, tx.now)))
      throw conflict("wrong_status", `The session is on ${on}. Check in on that day.`, {
        status: row.status,
        on,
      });
    const flight_id = await startFlight(tx, context, row);
    return changeRow(tx, context, sessionEntity, {
      id: sessionId,
      action: "planning_session.checked_in",
      set: { status: "checked_in", flight_id, updated_at: tx.now },
    });
  });
}

/** Returns the nature of the flight that a session becomes. */
export const natureOf = (
  kind: SessionKind,
  { class: type }: Pick<AircraftRow, "class">,
): "simulator" | "training" | null => (type === "FSTD" ? "simulator" : kind === "lesson" ? "training" : null);

/** Drafts the flight with what the session says. The times are those that will be flown. */
async function startFlight(tx: Tx<"tenant">, context: InOrganization, row: SessionRow): Promise<FlightId | null> {
  const { kind, aircraft_id } = row;
  if (aircraft_id === null || !isFlown(kind)) return null;
  const booking = { ...row, student_ids: await studentsOf(tx, row.id) };
  // A room that is archived since does not matter any more. The flight's own rules look at the people and the aircraft.
  const { onBoard } = await resourcesOf(tx, { ...booking, room_id: null });
  const nature = natureOf(kind, await requireUsable(tx, aircraft_id));
  const known = {
    aircraft_id,
    nature,
    lesson: row.title,
    lesson_id: await flownLesson(tx, booking),
    crew: onBoard.crew,
  };
  return (await addDraft(tx, context, FlightDraft.parse(known))).value.id;
}
