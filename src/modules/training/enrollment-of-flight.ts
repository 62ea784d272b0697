import { toLegalDate } from "../../core/dates.ts";
import { type Issue, invalid } from "../../core/errors.ts";
import type { EnrollmentId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import type { Lesson } from "../flights/flights.occasions.ts";
import type { FlightContent } from "../flights/flights.schemas.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { enrollmentsOf, lessonById } from "./flown-lesson.queries.ts";

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

/**
 * Returns the enrollment whose training a flight counts for: that of a student on board in the revision of its lesson.
 *
 * @throws VALIDATION_ERROR there is no such lesson, it is not flown, no student on board was enrolled in its revision, or a
 *   complete flight is of another kind than the lesson
 */
export async function enrollmentOfFlight(
  reader: Reader<"tenant">,
  { lesson_id, off_block_at, before, isComplete, ...flight }: Lesson,
): Promise<EnrollmentId | null> {
  if (lesson_id === null) return null;
  const lesson = await lessonById(reader, { id: lesson_id });
  if (lesson === undefined) throw invalid(issue("unknown", "There is no such lesson."));
  if (lesson.kind === "ground")
    throw invalid(issue("impossible", "The lesson is given on the ground: record a ground session."));
  if (isComplete && !kinds[lesson.kind].fits(flight)) throw invalid(issue("impossible", kinds[lesson.kind].message));
  const students = flight.crew.filter((member) => trained.includes(member.function)).map(({ person_id }) => person_id);
  if (students.length === 0 && !isComplete) return null;
  const [found, flownOn] = await Promise.all([
    enrollmentsOf(reader, students),
    off_block_at === null ? null : today(reader, off_block_at),
  ]);
  const kept = before?.lesson_id === lesson_id ? before.enrollment_id : null;
  const enrollment =
    found.find(({ id }) => id === kept) ??
    found.find(({ status, revision_id }) => status === "active" && revision_id === lesson.revision_id);
  if (enrollment && flownOn !== null && toLegalDate(flownOn) < enrollment.started_on)
    throw invalid(issue("not_enrolled", `The training began on ${enrollment.started_on}, after the flight.`));
  if (enrollment) return enrollment.id;
  throw invalid(
    issue("not_enrolled", "No student on board (dual, solo, spic) has an active enrollment in the lesson's revision."),
  );
}

const issue = (code: Issue["code"], message: string): Issue => ({ path: "lesson_id", code, message });
