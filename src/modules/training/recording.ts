/** Rules that ground sessions, signoffs and exams share. */
import { type MemberActor, permits } from "../../core/actor.ts";
import type { LegalDate } from "../../core/dates.ts";
import { conflict, forbidden, invalid, notPermitted } from "../../core/errors.ts";
import type { EnrollmentId, PersonId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { findPersonRow } from "../people/people.queries.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments/enrollments.queries.ts";
import { requireStatus } from "./enrollments/enrollments.verbs.ts";
import { personOf } from "./own-training.queries.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND; CONFLICT it is not active */
export async function requireActive(reader: TenantReader, enrollmentId: EnrollmentId): Promise<EnrollmentRow> {
  const row = await enrollmentEntity.row(reader, { enrollmentId });
  requireStatus(row, "active");
  return row;
}

/**
 * Returns the instructor who trained: the caller, or another whom a member with `training:manage` names.
 *
 * @throws VALIDATION_ERROR there is no such instructor, or it is the student; CONFLICT the instructor is archived
 * @throws FORBIDDEN the caller may only record what they gave
 */
export async function instructorOf(
  reader: TenantReader,
  actor: MemberActor,
  { named, student }: { named: PersonId | null; student: PersonId },
): Promise<PersonId> {
  const own = await personOf(reader, actor);
  const id = named ?? own;
  const refuse = (message: string) => invalid({ path: "instructor_id", code: "unknown", message });
  if (id === undefined) throw refuse("Your account is linked to no person: name the instructor.");
  if (id !== own && !permits(actor, "training:manage")) throw notPermitted();
  const person = await findPersonRow(reader, id);
  if (!person?.types.includes("instructor")) throw refuse("The person is no instructor of the school.");
  if (person.status === "archived") throw conflict("person_archived", "The instructor is archived.");
  if (id === student) throw refuse("The person is the student.");
  return id;
}

/** @throws FORBIDDEN the caller is the student */
export async function requireOther(reader: TenantReader, actor: MemberActor, student: PersonId): Promise<void> {
  if ((await personOf(reader, actor)) === student)
    throw forbidden("own_training", "This is your own training. Another member must do this.");
}

/** What an instructor gave, only they void, or a member with `training:manage`; and never the student. @throws FORBIDDEN */
export async function requireMayVoid(
  reader: TenantReader,
  actor: MemberActor,
  { student_id, instructor_id }: { student_id: PersonId; instructor_id: PersonId },
): Promise<void> {
  await requireOther(reader, actor, student_id);
  if (permits(actor, "training:manage")) return;
  if ((await personOf(reader, actor)) !== instructor_id) throw notPermitted();
}

/** @throws VALIDATION_ERROR the training began later */
export function requireBegun({ started_on }: EnrollmentRow, path: string, on: LegalDate): void {
  if (on < started_on) throw invalid({ path, code: "too_small", message: "Must not be before the training began." });
}

/** The columns of what is voided. @throws CONFLICT it is voided already */
export function voided(row: { status: "recorded" | "voided" }, reason: string, now: EnrollmentRow["created_at"]) {
  if (row.status === "voided") throw conflict("wrong_status", "It is voided already.");
  return { status: "voided" as const, void_reason: reason, voided_at: now };
}
