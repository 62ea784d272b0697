import { eq, sql } from "drizzle-orm";
import { yieldingBetween } from "../../core/async.ts";
import { conflict } from "../../core/errors.ts";
import { allRows, type DataSubject, type PersonalData } from "../../storage/personal-data.ts";
import { clearTexts, eraseFromTexts } from "../../storage/personal-texts.ts";
import type { Tx } from "../../storage/store.ts";
import { draftsOnlyOf } from "../flights/flights.queries.ts";
import { listAbsences, listHours } from "./hours/hours.queries.ts";
import { touchSessionsOf } from "./planning.follows.ts";
import { planningAbsences, planningHours, planningRooms, planningSessions, planningWishes } from "./planning.tables.ts";
import { hasOnly, hasOpenSessions, hasPerson, listOfResource, sessionEntity } from "./sessions/sessions.queries.ts";
import { takeBack } from "./wishes/settle-offers.ts";
import { listAllWishes, wishesWith } from "./wishes/wishes.queries.ts";

const { changeTime } = sessionEntity;

/** Sessions keep their times, and the id of the person without a name. The title of one with others is theirs, too. */
export const planningPersonal: PersonalData = {
  lists: {
    planning_sessions: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listOfResource(reader, { ...page, person_id: personId })),
    planning_hours: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listHours(reader, { ...page, person_id: personId })),
    planning_absences: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listAbsences(reader, { ...page, person_id: personId })),
    planning_wishes: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listAllWishes(reader, { ...page, person_id: personId })),
  },
  async check(reader, { personId }) {
    if (await hasOpenSessions(reader, personId))
      throw conflict("sessions_planned", "The person is in sessions that are not over. Complete or cancel them first.");
  },
  async erase(tx, subject, by) {
    const { personId } = subject;
    await tx.delete(planningWishes).where(eq(planningWishes.person_id, personId));
    for await (const wish of yieldingBetween(await wishesWith(tx, personId)))
      await takeBack(tx, by, wish, wish.instructor_id === personId ? "withdrawn" : "waiting", "instructor_left");
    await tx.delete(planningHours).where(eq(planningHours.person_id, personId));
    await tx.delete(planningAbsences).where(eq(planningAbsences.person_id, personId));
    await tx
      .update(planningSessions)
      .set({ flight_id: null, updated_at: await changeTime(tx) })
      .where(sql`${planningSessions.flight_id} in ${draftsOnlyOf(personId)}`);
    await clearTexts(tx, planningSessions, ["notes", "cancellation_note"], hasPerson(personId), changeTime);
    await clearTexts(tx, planningSessions, ["title"], hasOnly(personId), changeTime);
    await eraseFromTexts(tx, planningSessions, ["title", "notes", "cancellation_note"], subject, { changeTime });
    await eraseFromTexts(tx, planningAbsences, ["reason"], subject);
    await renameRooms(tx, subject);
  },
};

/** Rooms of two people who were erased would have the same name. */
async function renameRooms(tx: Tx<"tenant">, subject: DataSubject): Promise<void> {
  const isRenamed = await eraseFromTexts(tx, planningRooms, ["name"], subject, { unique: true });
  const renamed = await tx.select({ id: planningRooms.id }).from(planningRooms).where(isRenamed);
  for (const { id } of renamed) await touchSessionsOf(tx, id);
}
