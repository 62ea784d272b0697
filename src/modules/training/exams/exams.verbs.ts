import { authorize } from "../../../core/actor.ts";
import { conflict, type Issue, invalid, throwIfAny } from "../../../core/errors.ts";
import { type EnrollmentId, newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { requireNotFuture } from "../enrollments/enroll.ts";
import { type EnrollmentRow, enrollmentEntity } from "../enrollments/enrollments.queries.ts";
import { progressOn } from "../progress/progress.queries.ts";
import { requireBegun, requireTrainee, voided } from "../recording.ts";
import { type RevisionRow, requireRevision } from "../revisions/revisions.queries.ts";
import type { ExamId } from "../training.tables.ts";
import { examEntity, theoryExams } from "./exams.queries.ts";
import type { Exam, NewExam } from "./exams.schemas.ts";
import { sittingIssues } from "./sittings.ts";

const permission = "training:record";

/**
 * Records a theory exam, or a skill test, for which nothing else may be missing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR; FORBIDDEN, CONFLICT `requireTrainee`; CONFLICT the subject is passed
 *   already, or the student is not ready for the test
 */
export async function recordExam(
  context: InOrganization,
  input: NewExam,
  { enrollmentId }: { enrollmentId: EnrollmentId },
): Promise<JsonOf<Exam>> {
  const { actor, tenant, clock } = context;
  authorize(actor, permission);
  return tenant.write(async (tx) => {
    const enrollment = await enrollmentEntity.row(tx, { enrollmentId });
    await requireTrainee(tx, actor, enrollment);
    const revision = await requireRevision(tx, enrollment.revision_id);
    const passed = input.kind === "theory" ? theoryPassed(input, revision) : testPassed(input, revision);
    await requireNotFuture(tx, "taken_on", input.taken_on);
    if (input.kind === "theory") {
      await requireNotPassed(tx, enrollment, input);
      await requireSitting(tx, enrollment, revision, { ...input, passed });
    }
    if (input.kind === "skill_test") {
      requireBegun(enrollment, "taken_on", input.taken_on);
      await requireReady(tx, enrollment, input);
    }
    const id: ExamId = newId(clock);
    const { id: enrollment_id, student_id } = enrollment;
    const state = { status: "recorded" as const, created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, examEntity, {
      action: "exam.recorded",
      row: { ...input, id, enrollment_id, student_id, passed, ...state },
    });
  });
}

/** @throws VALIDATION_ERROR */
function theoryPassed({ subject, sitting, percent, passed }: NewExam, { theory, subjects }: RevisionRow): boolean {
  const known = subjects.map(({ code }) => code);
  if (theory === null || subject === null || !known.includes(subject))
    throw invalid(issue("subject", "unknown", `The subjects of the program are ${known.join(", ") || "none"}.`));
  if (percent === null) throw invalid(issue("percent", "required", "A theory exam has a result in percent."));
  if (sitting === null && theory.sittings !== null)
    throw invalid(issue("sitting", "required", "The program limits the sittings: give the number of this one."));
  if (passed !== null) throw invalid(issue("passed", "impossible", "A theory exam is passed by its percent."));
  return percent >= theory.pass_percent;
}

/** @throws VALIDATION_ERROR */
function testPassed({ passed, ...others }: NewExam, { skill_test }: RevisionRow): boolean {
  if (!skill_test) throw invalid(issue("kind", "impossible", "The program has no skill test."));
  for (const name of ["subject", "sitting", "percent"] as const)
    if (others[name] !== null) throw invalid(issue(name, "impossible", "A skill test has none."));
  if (passed === null) throw invalid(issue("passed", "required", "Say whether the skill test was passed."));
  return passed;
}

/** @throws CONFLICT */
async function requireNotPassed(
  tx: Tx<"tenant">,
  { id }: EnrollmentRow,
  { subject, taken_on }: NewExam,
): Promise<void> {
  const { theory } = await progressOn(tx, id, Temporal.PlainDate.from(taken_on));
  const passed_on = theory?.subjects.find(({ code }) => code === subject)?.passed_on;
  if (passed_on && subject !== null)
    throw conflict("subject_passed", `The student has passed ${subject} on ${passed_on} already.`, {
      subject,
      on: passed_on,
    });
}

/** @throws VALIDATION_ERROR its sitting would be too long, or has the subject already */
async function requireSitting(
  tx: Tx<"tenant">,
  { id }: EnrollmentRow,
  { theory, subjects }: RevisionRow,
  { subject, sitting, taken_on, passed }: Omit<NewExam, "passed"> & { passed: boolean },
): Promise<void> {
  if (theory === null || subject === null) throw new Error("The program has theory exams.");
  const exam = { subject, sitting, taken_on, passed };
  throwIfAny(sittingIssues(theory, subjects, await theoryExams(tx, id), exam));
}

/** @throws CONFLICT with what is missing on the day of the test */
async function requireReady(tx: Tx<"tenant">, { id }: EnrollmentRow, { taken_on }: NewExam): Promise<void> {
  const { ready_for_test, missing } = await progressOn(tx, id, Temporal.PlainDate.from(taken_on));
  if (ready_for_test) return;
  const lacks = missing.filter((what) => what !== "skill_test" && what !== "age");
  throw conflict("not_ready_for_test", `Missing before the skill test: ${lacks.join(", ")}.`, { missing: lacks });
}

/** @throws NOT_FOUND; FORBIDDEN, CONFLICT `voided` */
export const voidExam = (
  context: InOrganization,
  { reason, ...ref }: { reason: string; enrollmentId: EnrollmentId; examId: ExamId },
): Promise<JsonOf<Exam>> => {
  const { actor, tenant } = context;
  authorize(actor, permission);
  return tenant.write(async (tx) => {
    const row = await examEntity.row(tx, ref);
    const set = await voided(tx, actor, row, reason);
    return changeRow(tx, context, examEntity, { id: row.id, action: "exam.voided", set });
  });
};

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
