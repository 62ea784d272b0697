/** Rules that ground sessions, signoffs and exams share. */
import { type MemberActor, permits } from "../../core/actor.ts";
import type { LegalDate } from "../../core/dates.ts";
import { conflict, invalid, notPermitted, wrongStatus } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { findPersonRow } from "../people/people.queries.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments/enrollments.queries.ts";
import { requireStatus } from "./enrollments/enrollments.verbs.ts";
import { actingPerson, requireOther } from "./own-training.queries.ts";
import type { trainingSignoffs } from "./training.tables.ts";

type TenantReader = Reader<"tenant">;

/**
 * Checks that the caller may record training in an enrollment.
 *
 * @throws CONFLICT it is not active, or the student is archived; FORBIDDEN the caller is the student
 */
export async function requireTrainee(reader: TenantReader, actor: MemberActor, row: EnrollmentRow): Promise<void> {
  requireStatus(row, "active");
  await requireOther(reader, actor, row.student_id);
  if ((await findPersonRow(reader, row.student_id))?.status === "archived")
    throw conflict("person_archived", "The student is archived.");
}

/**
 * Returns the instructor who trained, and whether it is the caller. A member with `training:manage` may name another.
 *
 * @throws VALIDATION_ERROR there is no such instructor, or it is the student; CONFLICT the instructor is archived
 * @throws FORBIDDEN the caller may only record what they gave
 */
export async function instructorOf(
  reader: TenantReader,
  actor: MemberActor,
  { named, student }: { named: PersonId | null; student: PersonId },
): Promise<{ instructor_id: PersonId; isCaller: boolean }> {
  const own = await actingPerson(reader, actor);
  const id = named ?? own;
  const refuse = (message: string) => invalid({ path: "instructor_id", code: "unknown", message });
  if (id === undefined) throw refuse("You act as no person of the school: name the instructor.");
  if (id !== own && !permits(actor, "training:manage")) throw notPermitted();
  const person = await findPersonRow(reader, id);
  if (!person?.types.includes("instructor")) throw refuse("The person is no instructor of the school.");
  if (person.status === "archived") throw conflict("person_archived", "The instructor is archived.");
  if (id === student) throw refuse("The person is the student.");
  return { instructor_id: id, isCaller: id === own };
}

type Recorded = Pick<typeof trainingSignoffs.$inferSelect, "enrollment_id" | "student_id" | "created_by" | "status">;

/**
 * Returns the columns of what is voided. Only the instructor who gave it, or who recorded the exam, voids it, or a member with
 * `training:manage`; and never the student. An ended training stays as it was.
 *
 * @throws FORBIDDEN; CONFLICT it is voided already, or the enrollment has ended
 */
export async function voided(
  tx: Tx<"tenant">,
  actor: MemberActor,
  { instructor_id, ...row }: Recorded & { instructor_id?: PersonId },
  reason: string,
) {
  await requireOther(tx, actor, row.student_id);
  const isTheirs =
    instructor_id === undefined ? row.created_by === actor.userId : (await actingPerson(tx, actor)) === instructor_id;
  if (!isTheirs && !permits(actor, "training:manage")) throw notPermitted();
  if (row.status === "voided") throw conflict("wrong_status", "It is voided already.", { status: row.status });
  const enrollment = await enrollmentEntity.row(tx, { enrollmentId: row.enrollment_id });
  if (enrollment.ended_on !== null) throw wrongStatus("enrollment", enrollment.status, "active", "suspended");
  return { status: "voided" as const, void_reason: reason, voided_at: tx.now, updated_at: tx.now };
}

/** @throws VALIDATION_ERROR the training began later */
export function requireBegun({ started_on }: EnrollmentRow, path: string, on: LegalDate): void {
  if (on < started_on) throw invalid({ path, code: "out_of_order", message: "Must not be before the training began." });
}
