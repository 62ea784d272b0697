/** The lesson of a syllabus that a session is for, and what must be done before it. */
import { invalid } from "../../../core/errors.ts";
import type { EnrollmentId, LessonId, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { enrollmentsOf, lessonById } from "../../training/flown-lesson.queries.ts";
import { doneItems, missingBefore } from "../../training/progress/done-items.queries.ts";
import { lessonsOf } from "../../training/revisions/revisions.queries.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { type Booking, type Finding, found, notClear, type Resource } from "./booking.ts";

type TenantReader = Reader<"tenant">;

/** @throws VALIDATION_ERROR no such lesson, or one that is flown with an instructor has none, whatever the kind of the session */
export async function requireLesson(
  reader: TenantReader,
  { lesson_id, instructor_id }: Pick<Booking, "lesson_id" | "instructor_id">,
): Promise<void> {
  if (lesson_id === null) return;
  const lesson = await lessonById(reader, { id: lesson_id });
  if (lesson === undefined) throw invalid({ path: "lesson_id", code: "unknown", message: "There is no such lesson." });
  if (lesson.kind === "dual" && instructor_id === null)
    throw invalid({ path: "instructor_id", code: "missing", message: "The lesson is flown with an instructor." });
}

/** Returns whether a session is for a lesson that is flown solo. */
export const isSoloLesson = async (reader: TenantReader, { lesson_id }: Pick<Booking, "lesson_id">): Promise<boolean> =>
  lesson_id !== null && (await lessonById(reader, { id: lesson_id }))?.kind === "solo";

/** Returns the students who are not enrolled, or have not done the lessons that it requires. */
export async function lessonFindings(
  reader: TenantReader,
  booking: Booking,
  resources: readonly Resource[],
  { lesson_prerequisites: action }: Pick<Settings, "lesson_prerequisites">,
): Promise<Finding[]> {
  const lesson = booking.lesson_id && (await lessonById(reader, { id: booking.lesson_id }));
  if (!lesson || action === "off") return [];
  const lessons = await lessonsOf(reader, lesson.revision_id);
  const { requires } = lessons.find(({ id }) => id === lesson.id) ?? { requires: [] };
  const all: Finding[] = [];
  for (const resource of resources) {
    if (resource.type !== "student") continue;
    const report = (message: string) =>
      all.push(found(booking, { rule: "lesson_prerequisites", action, message, resource, to_others: notClear }));
    const enrollment = await activeIn(reader, resource.id as PersonId, lesson.revision_id);
    if (enrollment === undefined) report(`${resource.name} is not enrolled in the program of the lesson.`);
    if (enrollment === undefined || requires.length === 0) continue;
    const missing = missingBefore(lessons, { requires }, await doneItems(reader, enrollment.id));
    if (missing.length > 0)
      report(`${resource.name} has not done what the lesson requires: ${missing.map(({ code }) => code).join(", ")}.`);
  }
  return all;
}

const activeIn = async (reader: TenantReader, student: PersonId, revision: string) =>
  (await enrollmentsOf(reader, [student])).find((one) => one.status === "active" && one.revision_id === revision);

/** Returns the training of the first student that the lesson of a session counts for. */
export async function enrollmentFor(reader: TenantReader, booking: Lesson): Promise<EnrollmentId | null> {
  return (await lessonFor(reader, booking))?.enrollment_id ?? null;
}

/** Returns the lesson for the flight of a session: null if it is none, or the student is not enrolled. */
export async function flownLesson(reader: TenantReader, booking: Lesson): Promise<LessonId | null> {
  const found = await lessonFor(reader, booking);
  return found === undefined || found.lesson.kind === "ground" ? null : found.lesson.id;
}

type Lesson = Pick<Booking, "lesson_id" | "student_ids">;

async function lessonFor(reader: TenantReader, { lesson_id, student_ids: [student] }: Lesson) {
  const lesson = lesson_id && (await lessonById(reader, { id: lesson_id }));
  const enrollment = lesson && student && (await activeIn(reader, student, lesson.revision_id));
  return lesson && enrollment ? { lesson, enrollment_id: enrollment.id } : undefined;
}
