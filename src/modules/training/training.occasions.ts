import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { EnrollmentId, LessonId, PersonId, ProgramId } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import { occasion, question } from "../../storage/occasions.ts";

interface Enrolled {
  id: EnrollmentId;
  student_id: PersonId;
  program_id: ProgramId;
  started_on: LegalDate;
  by: By;
  /** Of the fee; undefined if fees are not charged, because the operator disabled `finance`. */
  currency: string | undefined;
}

export const enrolled = occasion<Enrolled>("a student was enrolled", ["finance"]);

/** A session of a student in which they are to be trained. */
export interface BookedTraining {
  student_id: PersonId;
  /** Null: an instructor, and no lesson that is named. */
  lesson_id: LessonId | null;
}

export const bookedTraining = question<
  { students: readonly PersonId[]; from: Instant; to: Instant },
  readonly BookedTraining[]
>("which training is booked for students?", ["planning"]);
