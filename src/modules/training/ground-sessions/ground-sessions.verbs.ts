import { authorize } from "../../../core/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { type EnrollmentId, newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { requireNotFuture } from "../enrollments/enroll.ts";
import { lessonById } from "../flown-lesson.queries.ts";
import { instructorOf, requireActive, voided } from "../recording.ts";
import type { GroundSessionId } from "../training.tables.ts";
import { groundSessionEntity } from "./ground-sessions.queries.ts";
import type { GroundSession, NewGroundSession } from "./ground-sessions.schemas.ts";

const permission = "training:record";

/** @throws NOT_FOUND; VALIDATION_ERROR; FORBIDDEN; CONFLICT the enrollment is not active */
export async function recordGroundSession(
  context: InOrganization,
  input: NewGroundSession,
  { enrollmentId }: { enrollmentId: EnrollmentId },
): Promise<JsonOf<GroundSession>> {
  const { actor, tenant, clock } = context;
  authorize(actor, permission);
  return tenant.write(async (tx) => {
    const { id: enrollment_id, student_id, revision_id } = await requireActive(tx, enrollmentId);
    const instructor_id = await instructorOf(tx, actor, input.instructor_id);
    const lesson = await lessonById(tx, { id: input.lesson_id });
    if (lesson?.revision_id !== revision_id)
      throw invalid({ path: "lesson_id", code: "unknown", message: "The student's revision has no such lesson." });
    await requireNotFuture(tx, "held_on", input.held_on);
    const id: GroundSessionId = newId(clock);
    const state = { status: "recorded" as const, created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, groundSessionEntity, {
      action: "ground_session.recorded",
      row: { ...input, id, enrollment_id, student_id, instructor_id, ...state },
    });
  });
}

/** @throws NOT_FOUND; CONFLICT it is voided already */
export const voidGroundSession = changeVerb(groundSessionEntity, {
  permission,
  action: "voided",
  set: async (tx, row, { reason }: { reason: string }) => voided(row, reason, tx.now),
});
