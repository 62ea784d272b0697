import { authorize } from "../../../core/actor.ts";
import { type Issue, invalid } from "../../../core/errors.ts";
import { type LessonRecordId, newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { findEnrollmentRow } from "../enrollments/enrollments.queries.ts";
import { lessonById } from "../flown-lesson.queries.ts";
import { requireTrainee } from "../recording.ts";
import { addSignoff, gradeIn, signingOf, whenSigned } from "../signoffs/record-signoff.ts";
import { itemById } from "../signoffs/signoffs.queries.ts";
import { lessonRecordEntity } from "./lesson-records.queries.ts";
import type { NewLessonRecord } from "./lesson-records.schemas.ts";
import type { LessonRecord } from "./lesson-records.shapes.ts";

/**
 * Records a lesson that was given: the texts and the grades of its items, each of which is a signoff.
 *
 * @throws VALIDATION_ERROR; FORBIDDEN, CONFLICT as `recordSignoff`
 */
export async function recordLesson(
  context: InOrganization,
  { grades, ...input }: NewLessonRecord,
): Promise<JsonOf<LessonRecord>> {
  const { actor, tenant, clock } = context;
  authorize(actor, "training:record");
  return tenant.write(async (tx) => {
    const enrollment = await findEnrollmentRow(tx, input.enrollment_id);
    if (enrollment === undefined) throw invalid(issue("enrollment_id", "unknown", "There is no such enrollment."));
    await requireTrainee(tx, actor, enrollment);
    const lesson = await lessonById(tx, { id: input.lesson_id });
    if (lesson?.revision_id !== enrollment.revision_id)
      throw invalid(issue("lesson_id", "unknown", "The student's revision has no such lesson."));
    if (grades.length === 0 && input.remarks === null && input.instructor_notes === null)
      throw invalid(issue("grades", "required", "Give a grade or a text."));
    for (const [at, { item_id }] of grades.entries())
      if ((await itemById(tx, { id: item_id }))?.lesson_id !== lesson.id)
        throw invalid(issue(`grades.${at}.item_id`, "unknown", "The lesson has no such item."));
    const signed_at = await whenSigned(tx, enrollment, input.signed_at);
    const signing = await signingOf(tx, actor, { ...input, enrollment, lesson, unrestricted: false, signed_at });
    const id: LessonRecordId = newId(clock);
    const { student_id } = enrollment;
    const { instructor_id, signed_by_instructor } = signing;
    const state = { status: "recorded" as const, created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, lessonRecordEntity, {
      action: "lesson_record.recorded",
      row: { ...input, id, student_id, instructor_id, signed_by_instructor, signed_at, ...state },
      async also() {
        for (const [at, given] of grades.entries()) {
          const graded = await gradeIn(tx, enrollment, { ...given, signed_at, path: `grades.${at}.` });
          // Which items an instructor with restricted privileges may not sign off is known of each.
          if (graded.unrestricted) await signingOf(tx, actor, { ...input, ...graded, enrollment, signed_at });
          await addSignoff(tx, context, { ...given, ...graded, enrollment, signing, lesson_record_id: id });
        }
      },
    });
  });
}

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
