import { toLegalDate } from "../../core/dates.ts";
import { type Issue, invalid } from "../../core/errors.ts";
import type { EnrollmentId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { enrollmentsOf, lessonById } from "../training/flown-lesson.queries.ts";
import type { CrewMember } from "./crew-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";

/** Functions in which a student is trained. */
const trained: readonly CrewMember["function"][] = ["dual", "solo", "spic"];

type Flown = Pick<FlightContent, "crew" | "nature">;

const hasOnBoard = ({ crew }: Flown, wanted: CrewMember["function"]) =>
  crew.some((member) => member.function === wanted);

/** How a lesson of a kind is flown. One with an instructor may be in a simulator. */
const kinds = {
  dual: {
    fits: (flight: Flown) => hasOnBoard(flight, "instructor"),
    message: "The lesson is flown with an instructor on board.",
  },
  solo: {
    fits: (flight: Flown) => hasOnBoard(flight, "solo") && flight.nature !== "simulator",
    message: "The lesson is flown solo.",
  },
  simulator: {
    fits: ({ nature }: Flown) => nature === "simulator",
    message: "The lesson is given in a simulator: the nature must be `simulator`.",
  },
};

interface At {
  /** The flight before the change. It keeps its enrollment if lesson and student stay, also if that has ended since. */
  before?: { lesson_id: FlightContent["lesson_id"]; enrollment_id: EnrollmentId | null };
  /** Otherwise the student may follow. */
  isComplete: boolean;
}

/**
 * Returns the enrollment whose training a flight counts for: that of a student on board in the revision of its lesson.
 *
 * @throws VALIDATION_ERROR there is no such lesson, it is not flown, no student on board was enrolled in its revision, or a
 *   complete flight is of another kind than the lesson
 */
export async function enrollmentOf(
  tx: Tx<"tenant">,
  { lesson_id, off_block_at, ...flight }: Pick<FlightContent, "lesson_id" | "crew" | "nature" | "off_block_at">,
  { before, isComplete }: At = { isComplete: false },
): Promise<EnrollmentId | null> {
  if (lesson_id === null) return null;
  const lesson = await lessonById(tx, { id: lesson_id });
  if (lesson === undefined) throw invalid(issue("unknown", "There is no such lesson."));
  if (lesson.kind === "ground")
    throw invalid(issue("impossible", "The lesson is given on the ground: record a ground session."));
  if (isComplete && !kinds[lesson.kind].fits(flight)) throw invalid(issue("impossible", kinds[lesson.kind].message));
  const students = flight.crew.filter((member) => trained.includes(member.function)).map(({ person_id }) => person_id);
  if (students.length === 0 && !isComplete) return null;
  const found = await enrollmentsOf(tx, students);
  const kept = before?.lesson_id === lesson_id ? before.enrollment_id : null;
  const enrollment =
    found.find(({ id }) => id === kept) ??
    found.find(({ status, revision_id }) => status === "active" && revision_id === lesson.revision_id);
  if (enrollment && off_block_at !== null && toLegalDate(await today(tx, off_block_at)) < enrollment.started_on)
    throw invalid(issue("not_enrolled", `The training began on ${enrollment.started_on}, after the flight.`));
  if (enrollment) return enrollment.id;
  throw invalid(
    issue("not_enrolled", "No student on board (dual, solo, spic) has an active enrollment in the lesson's revision."),
  );
}

const issue = (code: string, message: string): Issue => ({ path: "lesson_id", code, message });
