/** Rules that ground sessions, signoffs and exams share. */
import { type MemberActor, permits } from "../../core/actor.ts";
import { conflict, invalid, notPermitted } from "../../core/errors.ts";
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
 * @throws VALIDATION_ERROR there is no such instructor; FORBIDDEN the caller may only record their own training
 */
export async function instructorOf(
  reader: TenantReader,
  actor: MemberActor,
  named: PersonId | null,
): Promise<PersonId> {
  const own = await personOf(reader, actor);
  const id = named ?? own;
  const refuse = (message: string) => invalid({ path: "instructor_id", code: "unknown", message });
  if (id === undefined) throw refuse("Your account is linked to no person: name the instructor.");
  if (id !== own && !permits(actor, "training:manage")) throw notPermitted();
  const person = await findPersonRow(reader, id);
  if (!person?.types.includes("instructor")) throw refuse("The person is no instructor of the school.");
  return id;
}

/** The columns of what is voided. @throws CONFLICT it is voided already */
export function voided(row: { status: "recorded" | "voided" }, reason: string, now: EnrollmentRow["created_at"]) {
  if (row.status === "voided") throw conflict("wrong_status", "It is voided already.");
  return { status: "voided" as const, void_reason: reason, voided_at: now };
}
