import { authorize } from "../../../core/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { type EnrollmentId, newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import { requireNotFuture } from "../enrollments/enroll.ts";
import { enrollmentEntity } from "../enrollments/enrollments.queries.ts";
import { lessonById } from "../flown-lesson.queries.ts";
import { instructorOf, requireBegun, requireTrainee, voided } from "../recording.ts";
import type { GroundSessionId } from "../training.tables.ts";
import { groundSessionEntity } from "./ground-sessions.queries.ts";
import type { GroundSession, NewGroundSession } from "./ground-sessions.schemas.ts";

const permission = "training:record";

/** @throws NOT_FOUND; VALIDATION_ERROR; FORBIDDEN, CONFLICT `requireTrainee`, `instructorOf` */
export async function recordGroundSession(
  context: InOrganization,
  input: NewGroundSession,
  { enrollmentId }: { enrollmentId: EnrollmentId },
): Promise<JsonOf<GroundSession>> {
  const { actor, tenant, clock } = context;
  authorize(actor, permission);
  return tenant.write(async (tx) => {
    const enrollment = await enrollmentEntity.row(tx, { enrollmentId });
    await requireTrainee(tx, actor, enrollment);
    const { id: enrollment_id, student_id, revision_id } = enrollment;
    const { instructor_id } = await instructorOf(tx, actor, { named: input.instructor_id, student: student_id });
    const lesson = await lessonById(tx, { id: input.lesson_id });
    if (lesson?.revision_id !== revision_id)
      throw invalid({ path: "lesson_id", code: "unknown", message: "The student's revision has no such lesson." });
    await requireNotFuture(tx, "held_on", input.held_on);
    requireBegun(enrollment, "held_on", input.held_on);
    const id: GroundSessionId = newId(clock);
    const state = { status: "recorded" as const, created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, groundSessionEntity, {
      action: "ground_session.recorded",
      row: { ...input, id, enrollment_id, student_id, instructor_id, ...state },
    });
  });
}

/** @throws NOT_FOUND; FORBIDDEN, CONFLICT `voided` */
export const voidGroundSession = (
  context: InOrganization,
  { reason, ...ref }: { reason: string; enrollmentId: EnrollmentId; groundSessionId: GroundSessionId },
): Promise<JsonOf<GroundSession>> => {
  const { actor, tenant } = context;
  authorize(actor, permission);
  return tenant.write(async (tx) => {
    const row = await groundSessionEntity.row(tx, ref);
    const set = await voided(tx, actor, row, reason);
    return changeRow(tx, context, groundSessionEntity, { id: row.id, action: "ground_session.voided", set });
  });
};
