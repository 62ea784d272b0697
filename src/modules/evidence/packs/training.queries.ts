/** What a pilot's pack says about training. Its readers do not check an actor. */
import { and, eq, sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { field, fieldsOf, part, type Resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { enrollment, student as name } from "../../training/enrollments/enrollments.shapes.ts";
import { exam } from "../../training/exams/exams.schemas.ts";
import { groundSession } from "../../training/ground-sessions/ground-sessions.schemas.ts";
import { lessonRecord } from "../../training/lesson-records/lesson-records.shapes.ts";
import { countingSignoff, onCountingFlight } from "../../training/progress/done-items.queries.ts";
import { progressWithFacts } from "../../training/progress/progress.queries.ts";
import { publicSignoff } from "../../training/signoffs/signoffs.shapes.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingLessonRecords as lessons,
  trainingGroundSessions as sessions,
  trainingSignoffs as signoffs,
} from "../../training/training.tables.ts";

type TenantReader = Reader<"tenant">;

const held = part(fieldsOf(enrollment, "id", "program", "revision_id", "status", "started_on", "ended_on", "credits"));
const oldestFirst = ascending(held, "id");

export const listHeld = (reader: TenantReader, student: PersonId, page: PageRequest) =>
  pageBody(reader, held, {
    ...page,
    from: enrollments,
    where: eq(enrollments.student_id, student),
    orderBy: oldestFirst,
  });

/** Returns an enrollment with what was trained and what is missing: all of it computed from what is recorded and approved. */
export async function trainedIn(reader: TenantReader, row: Resource<typeof held>, now: Date): Promise<unknown> {
  const { facts, revision, progress } = await progressWithFacts(reader, row, now);
  const { minima, items, theory, missing, complete } = progress;
  const { number, legal_basis, effective_from } = revision;
  const { revision_id: _, ...shown } = row;
  return {
    ...shown,
    revision: { number, legal_basis, effective_from },
    trained: facts.flown.sums,
    solo_cross_countries: facts.flown.away.map(([distance_km, full_stops_elsewhere]) => ({
      distance_km,
      full_stops_elsewhere,
    })),
    minima,
    items,
    theory,
    missing,
    complete,
  };
}

const { status: _, voided_at: __, ...ofSignoff } = publicSignoff.fields;
const signoff = part(ofSignoff);
const bySigning = ascending(signoff, "signed_at", "id");

export const listSigned = (reader: TenantReader, student: PersonId, page: PageRequest) =>
  pageBody(reader, signoff, {
    ...page,
    from: signoffs,
    where: and(eq(signoffs.student_id, student), countingSignoff),
    orderBy: bySigning,
  });

/** With the texts for the student, and without the notes among instructors. */
const given = part({
  ...fieldsOf(lessonRecord, "id", "enrollment_id", "lesson", "flight_id", "remarks", "grades"),
  instructor: field(
    name.schema,
    sql`(select ${name.json} from ${people} where ${people.id} = ${lessons.instructor_id})`,
  ),
  ...fieldsOf(lessonRecord, "signed_by_instructor", "signed_at", "acknowledged_at"),
});
const byGiving = ascending(given, "signed_at", "id");

export const listGiven = (reader: TenantReader, student: PersonId, page: PageRequest) =>
  pageBody(reader, given, {
    ...page,
    from: lessons,
    where: and(eq(lessons.student_id, student), sql`+${lessons.status} = 'recorded'`, onCountingFlight(lessons)),
    orderBy: byGiving,
  });

const taken = part({
  ...fieldsOf(exam, "id", "enrollment_id", "kind", "subject", "sitting"),
  ...fieldsOf(exam, "taken_on", "percent", "examiner", "passed"),
});
const examsInOrder = ascending(taken, "id");

export const listTaken = (reader: TenantReader, student: PersonId, page: PageRequest) =>
  pageBody(reader, taken, {
    ...page,
    from: exams,
    where: and(eq(exams.student_id, student), sql`+${exams.status} = 'recorded'`),
    orderBy: examsInOrder,
  });

const session = part({
  id: groundSession.fields.id,
  enrollment_id: groundSession.fields.enrollment_id,
  instructor: field(
    name.schema,
    sql`(select ${name.json} from ${people} where ${people.id} = ${sessions.instructor_id})`,
  ),
  held_on: groundSession.fields.held_on,
  minutes: groundSession.fields.minutes,
});
const sessionsInOrder = ascending(session, "id");

export const listGround = (reader: TenantReader, student: PersonId, page: PageRequest) =>
  pageBody(reader, session, {
    ...page,
    from: sessions,
    where: and(eq(sessions.student_id, student), sql`+${sessions.status} = 'recorded'`),
    orderBy: sessionsInOrder,
  });
