/** The lessons of a training file in the order in which they were given. Pure. */
import type { Instant } from "../../../core/clock.ts";
import type { FlownFlight } from "./file.shapes.ts";
import type { TrainingFile } from "./read-file.queries.ts";

interface Graded {
  item: { code: string; name: string };
  /** The name of the grade beside its code. */
  grade: string;
  name: string;
  passed: boolean;
  counts: boolean;
  milestone: "first_solo" | "first_solo_cross_country" | null;
  remarks: string | null;
}

/** What was given: a lesson with its grades, or a ground session. */
export interface Given {
  /** When it was flown, or else signed, or the day of a ground session. */
  at: string;
  lesson: { code: string; name: string };
  /** Of the revision that the lesson or its items are of, if it is another than the present one. */
  revision: number | null;
  flight: FlownFlight | undefined;
  /** Of a ground session. */
  minutes: number | null;
  grades: readonly Graded[];
  /** Not if it is void, or its flight was rejected or reversed. */
  counts: boolean;
  remarks: string | null;
  instructor: string;
  /** Null: the instructor recorded it. */
  entered_by: { name: string | null } | null;
  signed_at: Instant;
  /** Undefined: it is nothing that a student acknowledges. */
  acknowledged_at: Instant | null | undefined;
  voided: { at: Instant; reason: string } | null;
}

type LessonRecord = TrainingFile["lessons"][number];
type Signoff = TrainingFile["signoffs"][number];
type GroundSession = TrainingFile["sessions"][number];

export function givenIn(file: TrainingFile): Given[] {
  const known = knownIn(file);
  const all = [
    ...file.lessons.map((one) => ofLesson(one, known, file.countingLessons.has(one.id))),
    ...signedTogether(file.signoffs).map((several) => ofSignoffs(several, known)),
    ...file.sessions.map((one) => ofSession(one, file)),
  ];
  return all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

type Known = ReturnType<typeof knownIn>;

function knownIn({ flights, items, revisions, enrollment }: TrainingFile) {
  const scalesOf = new Map(revisions.map(({ id, scales }) => [id, scales]));
  const numberOf = new Map(revisions.map(({ id, number }) => [id, number]));
  const itemOf = new Map(items.map((one) => [one.id, one]));
  return {
    flight: (id: string | null) => flights.find((flight) => flight.id === id),
    graded({
      item,
      grade,
      passed,
      counts,
      remarks,
    }: Pick<Signoff, "item" | "grade" | "passed" | "counts" | "remarks">): Graded {
      const found = itemOf.get(item.id);
      const scale = found && scalesOf.get(found.revision_id)?.find(({ code }) => code === found.scale);
      const name = scale?.grades.find(({ code }) => code === grade)?.name ?? grade;
      return { item, grade, name, passed, counts, milestone: found?.milestone ?? null, remarks };
    },
    revision(graded: readonly Pick<Signoff, "item">[]): number | null {
      const of = itemOf.get(graded[0]?.item.id ?? ("" as Signoff["item"]["id"]))?.revision_id;
      return of === undefined || of === enrollment.revision_id ? null : (numberOf.get(of) ?? null);
    },
  };
}

const voidedOf = ({ voided_at, void_reason }: Pick<LessonRecord, "voided_at" | "void_reason">) =>
  voided_at === null ? null : { at: voided_at as Instant, reason: void_reason ?? "–" };

const enteredBy = ({
  signed_by_instructor,
  created_by_name,
}: Pick<Signoff, "signed_by_instructor" | "created_by_name">) =>
  signed_by_instructor ? null : { name: created_by_name };

function ofLesson(record: LessonRecord, known: Known, counts: boolean): Given {
  const flight = known.flight(record.flight_id);
  return {
    at: flight?.off_block_at ?? record.signed_at,
    lesson: record.lesson,
    revision: known.revision(record.grades),
    flight,
    minutes: null,
    grades: record.grades.map(known.graded),
    counts,
    remarks: record.remarks,
    instructor: record.instructor_name,
    entered_by: enteredBy(record),
    signed_at: record.signed_at as Instant,
    acknowledged_at: record.acknowledged_at as Instant | null,
    voided: voidedOf(record),
  };
}

/** Puts together what was signed off and acknowledged in the same minutes. */
function signedTogether(signoffs: readonly Signoff[]): Signoff[][] {
  const minute = (at: string | null) => at?.slice(0, 16);
  const sameOf = ({ lesson, instructor, flight_id, ...one }: Signoff) =>
    JSON.stringify([
      ...[lesson.id, instructor.id, flight_id, one.signed_by_instructor, one.created_by, one.void_reason],
      ...[one.signed_at, one.acknowledged_at, one.voided_at].map(minute),
    ]);
  return [...Map.groupBy(signoffs, sameOf).values()];
}

function ofSignoffs(several: readonly Signoff[], known: Known): Given {
  const [first] = several;
  if (first === undefined) throw new Error("A group has a signoff.");
  const flight = known.flight(first.flight_id);
  return {
    at: flight?.off_block_at ?? first.signed_at,
    lesson: first.lesson,
    revision: known.revision(several),
    flight,
    minutes: null,
    grades: several.map(known.graded),
    counts: first.counts,
    remarks: null,
    instructor: first.instructor.name,
    entered_by: enteredBy(first),
    signed_at: first.signed_at as Instant,
    acknowledged_at: first.acknowledged_at as Instant | null,
    voided: voidedOf(first),
  };
}

function ofSession(session: GroundSession, { sessionLessons, revisions, enrollment }: TrainingFile): Given {
  const lesson = sessionLessons.find(({ id }) => id === session.lesson_id);
  const other = lesson?.revision_id === enrollment.revision_id ? undefined : lesson?.revision_id;
  return {
    at: session.held_on,
    lesson: { code: lesson?.code ?? "", name: session.lesson_name },
    revision: revisions.find(({ id }) => id === other)?.number ?? null,
    flight: undefined,
    minutes: session.minutes,
    grades: [],
    counts: session.status === "recorded",
    remarks: session.remarks,
    instructor: session.instructor_name,
    entered_by: { name: session.created_by_name },
    signed_at: session.created_at as Instant,
    acknowledged_at: undefined,
    voided: voidedOf(session),
  };
}
