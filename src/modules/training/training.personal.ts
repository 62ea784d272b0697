import { and, eq, inArray, sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../core/dates.ts";
import { conflict } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { descending, listOf } from "../../storage/page.ts";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { clearTexts, eraseFromTexts } from "../../storage/personal-texts.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { recordKeeping } from "../compliance/rules/rules.ts";
import { enrollment } from "./enrollments/enrollments.shapes.ts";
import { exam } from "./exams/exams.schemas.ts";
import { groundSession } from "./ground-sessions/ground-sessions.schemas.ts";
import { lessonRecord, withoutNotes } from "./lesson-records/lesson-records.shapes.ts";
import { signoffEntity } from "./signoffs/signoffs.queries.ts";
import { signoff } from "./signoffs/signoffs.shapes.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingLessonRecords as records,
  trainingGroundSessions as sessions,
  trainingSignoffs as signoffs,
} from "./training.tables.ts";

type TenantReader = Reader<"tenant">;

const listEnrollments = listOf(enrollment, { from: enrollments, orderBy: descending(enrollment, "id") });
const listSessions = listOf(groundSession, { from: sessions, orderBy: descending(groundSession, "id") });
const recordsInOrder = { from: records, orderBy: descending(lessonRecord, "signed_at", "id") };
const listRecords = listOf(lessonRecord, recordsInOrder);
const listRecordsWithoutNotes = listOf(withoutNotes, recordsInOrder);
const listExams = listOf(exam, { from: exams, orderBy: descending(exam, "id") });
const listSignoffs = listOf(signoff, { from: signoffs, orderBy: descending(signoff, "signed_at", "id") });

/** Records of training keep their figures, and the id of the person without a name. Free texts about a student are deleted. */
export const trainingPersonal: PersonalData = {
  lists: {
    enrollments: (tenant, { personId: student_id }) =>
      allRows(tenant, (reader, page) => listEnrollments(reader, { ...page, student_id })),
    ground_sessions: (tenant, { personId: student_id }) =>
      allRows(tenant, (reader, page) => listSessions(reader, { ...page, student_id })),
    ground_sessions_given: (tenant, { personId: instructor_id }) =>
      allRows(tenant, (reader, page) => listSessions(reader, { ...page, instructor_id })),
    /** The notes among instructors are about the student, too (see the README): who asks for themself gets them from the school. */
    lesson_records: (tenant, { personId: student_id, isCaller = false }) =>
      allRows(tenant, (reader, page) =>
        (isCaller ? listRecordsWithoutNotes : listRecords)(reader, { ...page, student_id }),
      ),
    lesson_records_given: (tenant, { personId: instructor_id }) =>
      allRows(tenant, (reader, page) => listRecordsWithoutNotes(reader, { ...page, instructor_id })),
    exams: (tenant, { personId: student_id }) =>
      allRows(tenant, (reader, page) => listExams(reader, { ...page, student_id })),
    signoffs: (tenant, { personId: student_id }) =>
      allRows(tenant, (reader, page) => listSignoffs(reader, { ...page, student_id })),
    signoffs_given: (tenant, { personId: instructor_id }) =>
      allRows(tenant, (reader, page) => listSignoffs(reader, { ...page, instructor_id })),
  },
  async check(reader, { personId }) {
    const open = await reader
      .select({ id: enrollments.id })
      .from(enrollments)
      .where(and(eq(enrollments.student_id, personId), inArray(enrollments.status, ["active", "suspended"])));
    if (open.length > 0)
      throw conflict(
        "records_kept",
        `The person's training has not ended. Complete it, or withdraw them: training records are kept for ${recordKeeping.training.years} years after that.`,
        {},
      );
  },
  async kept(reader, { personId }) {
    const last = await lastTrained(reader, personId);
    if (last === undefined) return undefined;
    const { title, years, source } = recordKeeping.training;
    return { until: toLegalDate(last.add({ years })), what: title, article: source.article };
  },
  async erase(tx, subject) {
    await eraseOwn(tx, subject.personId);
    await eraseFromTexts(tx, enrollments, ["remarks", "reason", "credits"], subject);
    await eraseFromTexts(tx, sessions, ["remarks", "void_reason"], subject);
    await eraseFromTexts(tx, records, ["remarks", "instructor_notes", "void_reason"], subject);
    await eraseFromTexts(tx, signoffs, ["remarks", "void_reason"], subject, signoffEntity);
    await eraseFromTexts(tx, exams, ["examiner", "remarks", "void_reason"], subject);
  },
};

async function eraseOwn(tx: Tx<"tenant">, personId: PersonId): Promise<void> {
  const credits = sql`(select json_group_array(json_set(credit.value, '$.reason', '-'))
    from json_each(${enrollments.credits}) as credit)`;
  await tx.run(sql`update ${enrollments} set remarks = null, reason = null, credits = ${credits}
    where ${enrollments.student_id} = ${personId}`);
  const nothing = { remarks: null, void_reason: null };
  await tx
    .update(records)
    .set({ ...nothing, instructor_notes: null })
    .where(eq(records.student_id, personId));
  await tx.update(sessions).set(nothing).where(eq(sessions.student_id, personId));
  const isOwn = eq(signoffs.student_id, personId);
  await clearTexts(tx, signoffs, ["remarks", "void_reason"], isOwn, signoffEntity.changeTime);
  await tx
    .update(exams)
    .set({ ...nothing, examiner: null })
    .where(eq(exams.student_id, personId));
}

/** Returns the last day on which a training of the person ended, or on which they trained others. */
async function lastTrained(reader: TenantReader, personId: PersonId): Promise<Temporal.PlainDate | undefined> {
  const [row] = await reader.values<[LegalDate | null, LegalDate | null, Instant | null]>(sql`select
    (select max(${enrollments.ended_on}) from ${enrollments} where ${enrollments.student_id} = ${personId}),
    (select max(${sessions.held_on}) from ${sessions} where ${sessions.instructor_id} = ${personId}),
    (select max(signed_at) from (
      select max(${signoffs.signed_at}) as signed_at from ${signoffs} where ${signoffs.instructor_id} = ${personId}
      union all
      select max(${records.signed_at}) from ${records} where ${records.instructor_id} = ${personId}))`);
  const [ended, held, signed] = row ?? [null, null, null];
  const days = [ended, held].flatMap((day) => (day === null ? [] : Temporal.PlainDate.from(day)));
  if (signed !== null) days.push(await today(reader, signed));
  return days.sort(Temporal.PlainDate.compare).at(-1);
}
