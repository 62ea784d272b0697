/** Whether an instructor may sign off a lesson, and a student may fly it, as of a day. */
import { conflict } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { peopleWithRecords } from "../../clearance/facts/facts.queries.ts";
import { heldOn } from "../../compliance/records/held.ts";
import { soloRule } from "../../compliance/rules/rules.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import type { Lesson } from "../revisions/revisions.queries.ts";

interface Training {
  kind: Lesson["kind"];
  instructor: PersonId;
  student: PersonId;
  on: Temporal.PlainDate;
}

/**
 * A lesson on the ground needs no certificate. A solo needs a student of the age with a medical certificate, and an
 * instructor who is not restricted (FCL.910.FI).
 *
 * @throws CONFLICT
 */
export async function checkQualified(
  reader: Reader<"tenant">,
  { kind, instructor, student, on }: Training,
): Promise<void> {
  if (kind === "ground") return;
  const known = await peopleWithRecords(reader, [instructor, student]);
  const trainer = known.find(({ id }) => id === instructor);
  const trainee = known.find(({ id }) => id === student);
  const { state } = heldOn(trainer?.records ?? [], { any_of: ["fi"] }, on);
  if (state !== "valid")
    throw conflict("instructor_not_qualified", `The instructor's certificate is ${state} on ${on}.`);
  if (kind !== "solo") return;
  if (trainer?.restricted_instructor)
    throw conflict("instructor_not_qualified", "A restricted instructor may not sign off a solo.");
  const born = trainee?.date_of_birth;
  if (!born) throw conflict("student_not_qualified", "The student's date of birth is not known.");
  if (!hasReached(soloRule.minimum_age, Temporal.PlainDate.from(born), on))
    throw conflict("student_not_qualified", `The student is under ${soloRule.minimum_age} on ${on}.`);
  const medical = heldOn(trainee.records, { any_of: ["medical"] }, on).state;
  if (medical !== "valid")
    throw conflict("student_not_qualified", `The student's medical certificate is ${medical} on ${on}.`);
}
