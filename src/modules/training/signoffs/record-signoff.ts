import { authorize } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { conflict, type Issue, invalid } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { type EnrollmentRow, findEnrollmentRow } from "../enrollments/enrollments.queries.ts";
import { requireStatus } from "../enrollments/enrollments.verbs.ts";
import { doneItems } from "../progress/done-items.queries.ts";
import { instructorOf } from "../recording.ts";
import { type Lesson, lessonsOf, requireRevision } from "../revisions/revisions.queries.ts";
import { signoffData, signoffRecorded } from "../training.events.ts";
import type { SignoffId } from "../training.tables.ts";
import { checkQualified } from "./check-qualified.ts";
import { enrollmentOfFlight, itemById, signoffEntity } from "./signoffs.queries.ts";
import type { NewSignoff } from "./signoffs.schemas.ts";
import type { Signoff } from "./signoffs.shapes.ts";

/**
 * Signs off an item of a student's revision. The newest signoff of an item counts.
 *
 * @throws VALIDATION_ERROR; FORBIDDEN the caller may only sign for themselves
 * @throws CONFLICT the enrollment is not active; the instructor or the student was not qualified (`checkQualified`); the lesson
 *   requires others that are not done
 */
export async function recordSignoff(context: InOrganization, input: NewSignoff): Promise<JsonOf<Signoff>> {
  const { actor, tenant, clock } = context;
  authorize(actor, "training:record");
  return tenant.write(async (tx) => {
    const enrollment = await findEnrollmentRow(tx, input.enrollment_id);
    if (enrollment === undefined) throw invalid(issue("enrollment_id", "unknown", "There is no such enrollment."));
    requireStatus(enrollment, "active");
    const { lesson, passed } = await gradeIn(tx, enrollment, input);
    const signed_at: Instant = input.signed_at ?? tx.now;
    if (signed_at > tx.now) throw invalid(issue("signed_at", "too_big", "Must not be in the future."));
    if (input.flight_id !== null && (await enrollmentOfFlight(tx, input.flight_id)) !== enrollment.id)
      throw invalid(issue("flight_id", "unknown", "There is no such flight of this training."));
    const instructor_id = await instructorOf(tx, actor, input.instructor_id);
    const { id: enrollment_id, student_id, program_id } = enrollment;
    const on = await today(tx, signed_at);
    await checkQualified(tx, { kind: lesson.kind, instructor: instructor_id, student: student_id, on });

    const id: SignoffId = newId(clock);
    const ids = { id, enrollment_id, student_id, program_id, instructor_id };
    const state = { status: "recorded" as const, created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, signoffEntity, {
      action: "training_signoff.recorded",
      row: { ...input, ...ids, signed_at, passed, ...state },
      also: () => emit(tx, signoffRecorded, signoffData.of(id)),
    });
  });
}

/** @throws VALIDATION_ERROR no such item or grade; CONFLICT the lesson requires others */
async function gradeIn(
  tx: Tx<"tenant">,
  { id, revision_id }: EnrollmentRow,
  { item_id, grade }: NewSignoff,
): Promise<{ lesson: Pick<Lesson, "kind">; passed: boolean }> {
  const item = await itemById(tx, { id: item_id });
  if (item?.revision_id !== revision_id)
    throw invalid(issue("item_id", "unknown", "The student's revision has no such item."));
  const { scales } = await requireRevision(tx, revision_id);
  const grades = scales.find(({ code }) => code === item.scale)?.grades ?? [];
  const given = grades.find(({ code }) => code === grade);
  if (given === undefined) {
    const known = grades.map(({ code }) => code).join(", ");
    throw invalid(issue("grade", "unknown", `The item's grades are ${known}.`));
  }
  const lessons = await lessonsOf(tx, revision_id);
  const lesson = lessons.find((one) => one.id === item.lesson_id);
  if (lesson === undefined) throw new Error("An item is of a lesson.");
  const done = await doneItems(tx, id);
  const isDone = ({ code, items }: (typeof lessons)[number]) =>
    items.every((one) => done.has(JSON.stringify([code, one.code])));
  const missing = lessons.filter((one) => lesson.requires.includes(one.code) && !isDone(one));
  if (missing.length > 0)
    throw conflict(
      "prerequisite_missing",
      `The lesson requires others that are not done: ${missing.map(({ code }) => code).join(", ")}.`,
    );
  return { lesson, passed: given.passed };
}

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message });
