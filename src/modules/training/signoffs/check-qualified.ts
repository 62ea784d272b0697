/** Whether an instructor may sign off a lesson, and whether the student could fly it. */

import { toLegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import type { EnrollmentId, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { heldOn } from "../../compliance/records/held.ts";
import { soloRule } from "../../compliance/rules/rules.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import { peopleWithRecords } from "../people-with-records.queries.ts";
import type { Lesson } from "../revisions/revisions.queries.ts";
import { soloMedical } from "../solo-medical.ts";

interface Training {
  kind: Lesson["kind"];
  /** Whether an instructor with restricted privileges may not sign it off. */
  unrestricted: boolean;
  instructor: PersonId;
  student: PersonId;
  enrollment_id: EnrollmentId;
  /** The day of the flight; without one, of the signature. */
  flown: Temporal.PlainDate;
  signed: Temporal.PlainDate;
}

/**
 * A lesson on the ground needs no certificate. Otherwise the instructor has one when they train and when they sign. A solo needs a
 * student of the age with the medical certificate of the licence that the training aims at, when it is flown.
 *
 * @throws CONFLICT
 */
export async function checkQualified(
  reader: Reader<"tenant">,
  { kind, unrestricted, instructor, student, enrollment_id, flown, signed }: Training,
): Promise<void> {
  if (kind === "ground") return;
  const known = await peopleWithRecords(reader, [instructor, student]);
  const trainer = known.find(({ id }) => id === instructor);
  const trainee = known.find(({ id }) => id === student);
  for (const day of flown.equals(signed) ? [signed] : [flown, signed]) {
    const { state } = heldOn(trainer ?? { records: [] }, { any_of: ["fi"] }, day);
    const which = flown.equals(signed) ? "" : `, the day of the ${day === flown ? "flight" : "signature"}`;
    if (state !== "valid")
      throw conflict("instructor_not_qualified", `The instructor's certificate is ${state} on ${day}${which}.`, {
        state,
        on: toLegalDate(day),
      });
  }
  if (unrestricted && trainer?.restricted_instructor)
    throw conflict(
      "instructor_not_qualified",
      "An instructor with restricted privileges signs off neither the first solo nor the first solo cross-country flight. One that the syllabus does not mark may be any solo item.",
      { state: "restricted", on: toLegalDate(flown) },
    );
  if (kind !== "solo") return;
  const on = toLegalDate(flown);
  const born = trainee?.date_of_birth;
  if (!born)
    throw conflict("student_not_qualified", "The student's date of birth is not known.", {
      state: "age_unknown",
      on,
    });
  if (!hasReached(soloRule.minimum_age, Temporal.PlainDate.from(born), flown))
    throw conflict("student_not_qualified", `The student is under ${soloRule.minimum_age} on ${flown}.`, {
      state: "too_young",
      on,
      min_age: soloRule.minimum_age,
    });
  const medical = soloMedical(trainee, { days: [flown], enrollment_id });
  if (medical.state === "valid") return;
  const what = medical.state === "not_enough" ? `not enough for a licence of level ${medical.licence}` : medical.state;
  throw conflict("student_not_qualified", `The student's medical certificate is ${what} on ${flown}.`, {
    state: medical.state,
    on,
  });
}
