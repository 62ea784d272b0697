/** The lesson of a syllabus that a session is for, and what must be done before it. */
import { invalid } from "../../../core/errors.ts";
import type { Booking } from "./booking.ts";

/** @throws VALIDATION_ERROR no such lesson: there are no syllabi yet */
export function requireLesson({ lesson_id }: Pick<Booking, "lesson_id">): void {
  if (lesson_id === null) return;
  throw invalid({ path: "lesson_id", code: "unknown", message: "There is no such lesson." });
}
