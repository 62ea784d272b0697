/** Who is on board of what is booked, and who supervises it from the ground. */
import type { Issue } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { SessionKind } from "../planning.tables.ts";
import type { Booking } from "./booking.ts";
import { isSoloLesson } from "./lessons.ts";

export interface OnBoard {
  crew: readonly CrewMember[];
  /** The instructor of a solo lesson, who is no crew member. */
  supervisor_id: PersonId | null;
}

export type Boarding = Pick<Booking, "kind" | "instructor_id" | "student_ids" | "lesson_id">;

/**
 * In a solo lesson, the student is alone on board, whoever else they are (FCL.010), and the instructor supervises (FCL.020).
 * Otherwise the first student is trained if there is an instructor. Without one, the first pilot is in command, or the student
 * is alone.
 *
 * @param pilots those of the people who may fly as pilot in command
 */
export async function onBoardOf(
  reader: Reader<"tenant">,
  booking: Boarding,
  pilots: ReadonlySet<string>,
): Promise<OnBoard> {
  const { kind, instructor_id, student_ids } = booking;
  if (!isFlown(kind)) return { crew: [], supervisor_id: null };
  const [student] = student_ids;
  if (await isSoloLesson(reader, booking)) return { crew: crewOf("solo", student), supervisor_id: instructor_id };
  if (instructor_id !== null)
    return { crew: [...crewOf("instructor", instructor_id), ...crewOf("dual", student)], supervisor_id: null };
  const pilot = student_ids.find((id) => pilots.has(id));
  return { crew: pilot === undefined ? crewOf("solo", student) : crewOf("pic", pilot), supervisor_id: null };
}

export const isFlown = (kind: SessionKind): boolean => kind === "flight" || kind === "lesson";

const crewOf = (onBoard: CrewMember["function"], person_id: PersonId | undefined): CrewMember[] =>
  person_id === undefined ? [] : [{ person_id, function: onBoard }];

/** The student is the sole occupant. */
export const soloIssues = ({ crew }: OnBoard, { student_ids }: Pick<Booking, "student_ids">): Issue[] =>
  student_ids.length > 1 && crew.some(({ function: onBoard }) => onBoard === "solo")
    ? [
        {
          path: "student_ids",
          code: "solo",
          message: "A solo flight has one student, who is alone on board (FCL.010).",
        },
      ]
    : [];
