/** Where a student stands in a program, and what comes next. Pure. */
import { dateIn, toLegalDate } from "../../../core/dates.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Measure } from "../../compliance/rules/training-minima.ts";
import type { NamedLesson } from "../flown-lesson.queries.ts";
import type { lessonsOf, RevisionRow } from "../revisions/revisions.queries.ts";
import type { BookedTraining } from "../training.occasions.ts";
import { type DoneItems, itemKey, missingBefore } from "./done-items.queries.ts";
import type { Facts } from "./facts.queries.ts";
import { type Pace, paceOf } from "./pace.ts";
import type { PublicProgress, StudentProgress } from "./progress.schemas.ts";
import { type Day, stalledSince, trainedOf } from "./progress.ts";

/** How many of the next lessons are told. */
const NEXT = 3;

export interface Revision extends RevisionRow {
  lessons: Awaited<ReturnType<typeof lessonsOf>>;
  /** The keys of its items. */
  items: readonly string[];
}

/** The progress with what it is computed from. */
export interface Computed {
  progress: PublicProgress;
  facts: Facts;
  revision: Revision;
}

type Lesson = Omit<NamedLesson, "program_id" | "revision_id">;

/** What is read for many students at once. */
export interface Around {
  /** Those that were given last, and those that are booked. */
  lessons: readonly NamedLesson[];
  /** The items that were done before the weeks of the actual pace, by enrollment. */
  before: ReadonlyMap<EnrollmentId, DoneItems>;
  booked: readonly BookedTraining[];
}

export function standingOf(computed: Computed, around: Around, day: Day): StudentProgress {
  const { progress, facts, revision } = computed;
  const trained = trainedOf(facts, day);
  const hours = (name: Measure & `${string}_minutes`) => ({
    done: progress.minima.find((minimum) => minimum.name === name)?.done ?? trained[name],
    required: progress.minima.find((minimum) => minimum.name === name)?.required ?? null,
  });
  const { done, total } = progress.items;
  return {
    ...progress,
    student_id: progress.student.id,
    program_id: progress.program.id,
    started_on: facts.started_on,
    percent: total === 0 ? 100 : Math.floor((done * 100) / total),
    total: hours("total_minutes"),
    dual: hours("dual_minutes"),
    solo: hours("solo_minutes"),
    last_lesson: lastLesson(facts, around.lessons, day),
    pace: paceIn(computed, around, day),
    stalled_since: stalledSince(facts, day),
    next_lessons: nextLessons(revision, facts),
  };
}

function paceIn({ facts, revision }: Computed, { lessons, before, booked }: Around, { on }: Day): Pace | null {
  const { id, status, student, program, started_on, planned_start_on, planned_end_on } = facts;
  if (status !== "active" || planned_end_on === null) return null;
  const isDone = (done: DoneItems) => (lesson: Revision["lessons"][number]) =>
    lesson.items.every((item) => done.has(itemKey(lesson.code, item.code)));
  const done = new Set(revision.lessons.filter(isDone(facts.done)).map((lesson) => lesson.id));
  const missing = new Set(revision.lessons.filter((lesson) => !done.has(lesson.id)).map(({ code }) => code));
  // What was booked before a move to another revision names a lesson of the one before: one with the same code is the same.
  const isMissing = ({ program_id, code }: NamedLesson) => program_id === program.id && missing.has(code);
  const wanted = new Set(lessons.filter(isMissing).map((lesson) => lesson.id));
  const isOfTraining = ({ student_id, lesson_id }: BookedTraining) =>
    student_id === student.id && (lesson_id === null || wanted.has(lesson_id));
  const counted = {
    done: done.size,
    total: revision.lessons.length,
    done_before: revision.lessons.filter(isDone(before.get(id) ?? new Set())).length,
    booked: booked.filter(isOfTraining).length,
  };
  return paceOf({ start_on: planned_start_on ?? started_on, end_on: planned_end_on }, counted, {
    began: started_on,
    on,
  });
}

function lastLesson(
  { flown, ground }: Facts,
  lessons: readonly Lesson[],
  { time_zone }: Day,
): StudentProgress["last_lesson"] {
  const given = [
    ...(flown.last === null ? [] : [{ id: flown.lesson, on: toLegalDate(dateIn(time_zone, new Date(flown.last))) }]),
    ...(ground.last === null ? [] : [{ id: ground.lesson, on: ground.last }]),
  ];
  const last = given.sort((one, other) => (one.on < other.on ? 1 : -1))[0];
  const lesson = lessons.find(({ id }) => id === last?.id);
  if (last === undefined || lesson === undefined) return null;
  const { id, code, name, kind } = lesson;
  return { id, code, name, kind, on: last.on };
}

const nextLessons = ({ lessons }: Revision, facts: Facts) =>
  lessons
    .filter((lesson) => missingBefore(lessons, lesson, facts.done).length === 0)
    .map((lesson) => lessonWithItems(lesson, facts))
    .filter(({ items: { done, total } }) => done < total)
    .slice(0, NEXT);

export function lessonWithItems(
  lesson: Lesson & { items: readonly { code: string }[] },
  { done }: Pick<Facts, "done">,
) {
  const { id, code, name, kind, items } = lesson;
  return {
    ...{ id, code, name, kind },
    items: { done: items.filter((item) => done.has(itemKey(code, item.code))).length, total: items.length },
  };
}
