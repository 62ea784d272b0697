import type { LegalDate } from "../../core/dates.ts";
import type { EnrollmentId, FlightId, PersonId, ProgramId } from "../../core/ids.ts";
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

/** Flights that were made from a session with the instructor: solo flights have nobody else on board. */
export const supervisedFlights = question<{ instructor: PersonId }, readonly FlightId[]>(
  "which flights did an instructor supervise?",
  ["planning"],
);
