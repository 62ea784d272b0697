/** Whether an instructor may sign off a lesson, and a student may fly it, as of a day. */
import { conflict } from "../../../core/errors.ts";
import type { EnrollmentId, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { soloMedical } from "../../clearance/checks/medical.ts";
import { peopleWithRecords } from "../../clearance/facts/facts.queries.ts";
import { heldOn } from "../../compliance/records/held.ts";
import { soloRule } from "../../compliance/rules/rules.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import type { Lesson } from "../revisions/revisions.queries.ts";

interface Training {
  kind: Lesson["kind"];
  /** Whether an instructor with restricted privileges may not sign it off. */
  unrestricted: boolean;
  instructor: PersonId;
  student: PersonId;
  enrollment_id: EnrollmentId;
  on: Temporal.PlainDate;
}

/**
 * A lesson on the ground needs no certificate. A solo needs a student of the age with the medical certificate of
 * the licence that the training aims at.
 *
 * @throws CONFLICT
 */
export async function checkQualified(
  reader: Reader<"tenant">,
  { kind, unrestricted, instructor, student, enrollment_id, on }: Training,
): Promise<void> {
  if (kind === "ground") return;
  const known = await peopleWithRecords(reader, [instructor, student]);
  const trainer = known.find(({ id }) => id === instructor);
  const trainee = known.find(({ id }) => id === student);
  const { state } = heldOn(trainer ?? { records: [] }, { any_of: ["fi"] }, on);
  if (state !== "valid")
    throw conflict("instructor_not_qualified", `The instructor's certificate is ${state} on ${on}.`);
  if (unrestricted && trainer?.restricted_instructor)
    throw conflict(
      "instructor_not_qualified",
      "An instructor with restricted privileges signs off neither the first solo nor the first solo cross-country flight. One that the syllabus does not mark may be any solo item.",
    );
  if (kind !== "solo") return;
  const born = trainee?.date_of_birth;
  if (!born) throw conflict("student_not_qualified", "The student's date of birth is not known.");
  if (!hasReached(soloRule.minimum_age, Temporal.PlainDate.from(born), on))
    throw conflict("student_not_qualified", `The student is under ${soloRule.minimum_age} on ${on}.`);
  const medical = soloMedical(trainee, { days: [on], enrollment_id });
  if (medical.state === "valid") return;
  const what = medical.state === "not_enough" ? `not enough for a licence of level ${medical.licence}` : medical.state;
  throw conflict("student_not_qualified", `The student's medical certificate is ${what} on ${on}.`);
}
