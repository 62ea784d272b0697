import { eq, or } from "drizzle-orm";
import { conflict } from "../../core/errors.ts";
import { allRows, eraseFromTexts, type PersonalData } from "../../storage/personal-data.ts";
import { listAbsences, listHours } from "./hours/hours.queries.ts";
import { planningAbsences, planningHours, planningSessions, planningWishes } from "./planning.tables.ts";
import { hasOpenSessions, listOfResource } from "./sessions/sessions.queries.ts";
import { listAllWishes } from "./wishes/wishes.queries.ts";

/** Sessions keep their times, and the id of the person without a name. */
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
  async erase(tx, subject) {
    const { personId } = subject;
    await tx
      .delete(planningWishes)
      .where(
        or(
          eq(planningWishes.person_id, personId),
          eq(planningWishes.instructor_id, personId),
          eq(planningWishes.offered_instructor_id, personId),
        ),
      );
    await tx.delete(planningHours).where(eq(planningHours.person_id, personId));
    await tx.delete(planningAbsences).where(eq(planningAbsences.person_id, personId));
    await eraseFromTexts(tx, planningSessions, ["title", "notes", "cancellation_note"], subject);
  },
};
