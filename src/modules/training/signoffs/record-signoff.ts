import { authorize } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, type Issue, invalid } from "../../../core/errors.ts";
import { type FlightId, newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { type EnrollmentRow, findEnrollmentRow } from "../enrollments/enrollments.queries.ts";
import { programEntity } from "../programs/programs.queries.ts";
import { doneItems, missingBefore } from "../progress/done-items.queries.ts";
import { instructorOf, requireBegun, requireTrainee } from "../recording.ts";
import { type Lesson, lessonsOf, requireRevision } from "../revisions/revisions.queries.ts";
import { signoffData, signoffRecorded } from "../training.events.ts";
import type { SignoffId, trainingSignoffs } from "../training.tables.ts";
import { checkQualified } from "./check-qualified.ts";
import { needsUnrestricted } from "./needs-unrestricted.ts";
import { itemById, signoffEntity, trainingFlight } from "./signoffs.queries.ts";
import type { NewSignoff } from "./signoffs.schemas.ts";
import type { Signoff } from "./signoffs.shapes.ts";

/**
 * Signs off an item of a student's revision. The newest signoff of an item counts.
 *
 * @throws VALIDATION_ERROR; FORBIDDEN, CONFLICT `requireTrainee`, `instructorOf`
 * @throws CONFLICT the instructor or the student was not qualified (`checkQualified`); the lesson requires others that are not
 *   done
 */
export async function recordSignoff(context: InOrganization, input: NewSignoff): Promise<JsonOf<Signoff>> {
  const { actor, tenant } = context;
  authorize(actor, "training:record");
  return tenant.write(async (tx) => {
    const enrollment = await findEnrollmentRow(tx, input.enrollment_id);
    if (enrollment === undefined) throw invalid(issue("enrollment_id", "unknown", "There is no such enrollment."));
    await requireTrainee(tx, actor, enrollment);
    const signed_at = await whenSigned(tx, enrollment, input.signed_at);
    const graded = await gradeIn(tx, enrollment, { ...input, signed_at });
    const signing = await signingOf(tx, actor, { ...input, ...graded, enrollment, signed_at });
    return addSignoff(tx, context, { ...input, ...graded, enrollment, signing, lesson_record_id: null });
  });
}

/** Who signs, when, and on which flight. */
interface Signing extends Pick<SignoffRow, "instructor_id" | "signed_by_instructor" | "signed_at" | "flight_id"> {
  /** The day of the flight; without one, of the signature. */
  flown: Temporal.PlainDate;
  signed: Temporal.PlainDate;
}

/** Returns when it is signed. @throws VALIDATION_ERROR in the future, or before the training began */
export async function whenSigned(tx: Tx<"tenant">, enrollment: EnrollmentRow, at: Instant | null): Promise<Instant> {
  const signed_at: Instant = at ?? tx.now;
  if (signed_at > tx.now) throw invalid(issue("signed_at", "in_future", "Must not be in the future."));
  requireBegun(enrollment, "signed_at", toLegalDate(await today(tx, signed_at)));
  return signed_at;
}

/** @throws VALIDATION_ERROR the flight, or the instructor; FORBIDDEN, CONFLICT `instructorOf`, `checkQualified` */
export async function signingOf(
  tx: Tx<"tenant">,
  actor: InOrganization["actor"],
  {
    enrollment,
    lesson,
    unrestricted,
    flight_id,
    signed_at,
    instructor_id: named,
  }: Pick<NewSignoff, "flight_id" | "instructor_id"> & {
    enrollment: EnrollmentRow;
    lesson: SignedLesson;
    unrestricted: boolean;
    signed_at: Instant;
  },
): Promise<Signing> {
  const signed = await today(tx, signed_at);
  const flown = flight_id === null ? signed : await dayFlown(tx, flight_id, { enrollment, lesson, signed_at });
  const { id: enrollment_id, student_id: student } = enrollment;
  const { instructor_id, isCaller } = await instructorOf(tx, actor, { named, student });
  const trained = { instructor: instructor_id, student, enrollment_id };
  await checkQualified(tx, { kind: lesson.kind, unrestricted, ...trained, flown, signed });
  return { instructor_id, signed_by_instructor: isCaller, signed_at, flight_id, flown, signed };
}

/** Posting. Emits `training.signoff.recorded`. */
export function addSignoff(
  tx: Tx<"tenant">,
  context: InOrganization,
  {
    enrollment,
    signing: { flown: _, signed: __, ...signing },
    item_id,
    grade,
    passed,
    remarks,
    lesson_record_id,
  }: Pick<SignoffRow, "item_id" | "grade" | "passed" | "remarks" | "lesson_record_id"> & {
    enrollment: EnrollmentRow;
    signing: Signing;
  },
): Promise<JsonOf<Signoff>> {
  const id: SignoffId = newId(context.clock);
  const { id: enrollment_id, student_id, program_id } = enrollment;
  const ids = { id, enrollment_id, student_id, program_id, lesson_record_id, item_id };
  const created_by = context.actor.userId;
  const state = { status: "recorded" as const, created_by, created_at: tx.now, updated_at: tx.now };
  return addRow(tx, context, signoffEntity, {
    action: "training_signoff.recorded",
    row: { ...ids, ...signing, grade, passed, remarks, ...state },
    also: () => emit(tx, signoffRecorded, signoffData.of(id)),
  });
}

type SignoffRow = typeof trainingSignoffs.$inferSelect;
type SignedLesson = Pick<Lesson, "kind" | "code">;

/** @param path before the names of the fields, in the body @throws VALIDATION_ERROR no such item or grade; CONFLICT the lesson requires others */
export async function gradeIn(
  tx: Tx<"tenant">,
  { id, program_id, revision_id }: EnrollmentRow,
  {
    item_id,
    grade,
    signed_at,
    path = "",
  }: Pick<NewSignoff, "item_id" | "grade"> & { signed_at: Instant; path?: string },
): Promise<{ lesson: SignedLesson; unrestricted: boolean; passed: boolean }> {
  const item = await itemById(tx, { id: item_id });
  if (item?.revision_id !== revision_id)
    throw invalid(issue(`${path}item_id`, "unknown", "The student's revision has no such item."));
  const { scales } = await requireRevision(tx, revision_id);
  const grades = scales.find(({ code }) => code === item.scale)?.grades ?? [];
  const given = grades.find(({ code }) => code === grade);
  if (given === undefined) {
    const known = grades.map(({ code }) => code).join(", ");
    throw invalid(issue(`${path}grade`, "unknown", `The item's grades are ${known}.`));
  }
  const lessons = await lessonsOf(tx, revision_id);
  const lesson = lessons.find((one) => one.id === item.lesson_id);
  if (lesson === undefined) throw new Error("An item is of a lesson.");
  const missing = missingBefore(lessons, lesson, await doneItems(tx, id, signed_at));
  if (missing.length > 0)
    throw conflict(
      "prerequisite_missing",
      `The lesson requires others that are not done: ${missing.map(({ code }) => code).join(", ")}.`,
      { lessons: missing.map(({ code }) => code) },
    );
  const { kind } = await programEntity.row(tx, { programId: program_id });
  return { lesson, unrestricted: needsUnrestricted(kind, lessons, { lesson, item }), passed: given.passed };
}

/**
 * Returns the day of the flight on which an item was shown. A draft may still change, and a rejected or reversed flight does not
 * count. A flight before a move to another revision has a lesson of the same code.
 *
 * @throws VALIDATION_ERROR
 */
async function dayFlown(
  tx: Tx<"tenant">,
  id: FlightId,
  { enrollment, lesson, signed_at }: { enrollment: EnrollmentRow; lesson: SignedLesson; signed_at: Instant },
): Promise<Temporal.PlainDate> {
  const flight = await trainingFlight(tx, id);
  if (flight?.enrollment_id !== enrollment.id || (flight.status !== "submitted" && flight.status !== "approved"))
    throw invalid(issue("flight_id", "unknown", "There is no such submitted or approved flight of this training."));
  if (flight.lesson !== lesson.code)
    throw invalid(
      issue("flight_id", "impossible", `The flight is of lesson ${flight.lesson}, the item of ${lesson.code}.`),
    );
  if (flight.off_block_at === null) throw new Error("A submitted flight has its times.");
  if (signed_at < flight.off_block_at)
    throw invalid(issue("signed_at", "out_of_order", "Must not be before the flight."));
  return today(tx, flight.off_block_at);
}

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
