import { type Issue, invalid } from "../../core/errors.ts";
import type { EnrollmentId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { enrollmentsOf, lessonById } from "../training/flown-lesson.queries.ts";
import type { CrewMember } from "./flight-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";

/** Functions in which a student is trained. */
const trained: readonly CrewMember["function"][] = ["dual", "solo", "spic"];

interface At {
  /** The flight before the change. It keeps its enrollment if lesson and student stay, also if that has ended since. */
  before?: { lesson_id: FlightContent["lesson_id"]; enrollment_id: EnrollmentId | null };
  /** Otherwise the student may follow. */
  isComplete: boolean;
}

/**
 * Returns the enrollment whose training a flight counts for: that of a student on board in the revision of its lesson.
 *
 * @throws VALIDATION_ERROR there is no such lesson, it is not flown, or no student on board is enrolled in its revision
 */
export async function enrollmentOf(
  tx: Tx<"tenant">,
  { lesson_id, crew }: Pick<FlightContent, "lesson_id" | "crew">,
  { before, isComplete }: At = { isComplete: false },
): Promise<EnrollmentId | null> {
  if (lesson_id === null) return null;
  const lesson = await lessonById(tx, { id: lesson_id });
  if (lesson === undefined) throw invalid(issue("unknown", "There is no such lesson."));
  if (lesson.kind === "ground")
    throw invalid(issue("impossible", "The lesson is given on the ground: record a ground session."));
  const students = crew.filter((member) => trained.includes(member.function)).map(({ person_id }) => person_id);
  if (students.length === 0 && !isComplete) return null;
  const found = await enrollmentsOf(tx, students);
  const kept = before?.lesson_id === lesson_id ? before.enrollment_id : null;
  const enrollment =
    found.find(({ id }) => id === kept) ??
    found.find(({ status, revision_id }) => status === "active" && revision_id === lesson.revision_id);
  if (enrollment) return enrollment.id;
  throw invalid(
    issue("not_enrolled", "No student on board (dual, solo, spic) has an active enrollment in the lesson's revision."),
  );
}

const issue = (code: string, message: string): Issue => ({ path: "lesson_id", code, message });
