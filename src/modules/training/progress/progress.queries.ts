import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { MemberActor } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import { shift } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { notFound } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { ask } from "../../../storage/occasions.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { shape } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf, timeZoneOf, today } from "../../../storage/today.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { lessonsById } from "../flown-lesson.queries.ts";
import { visibleTo } from "../own-training.queries.ts";
import { lessonsOf, requireRevision } from "../revisions/revisions.queries.ts";
import { bookedTraining } from "../training.occasions.ts";
import { isOpen, type RevisionId, trainingEnrollments as table } from "../training.tables.ts";
import { doneItemsIn, itemKey, missingBefore } from "./done-items.queries.ts";
import { factsOf, openEnrollments } from "./facts.queries.ts";
import { weeksAhead, weeksBack } from "./pace.ts";
import type { Progress, ProgressFilter, PublicProgress, StudentProgress } from "./progress.schemas.ts";
import { type Day, progressOf } from "./progress.ts";
import { type Around, type Computed, lessonWithItems, type Revision, standingOf } from "./standing.ts";

type TenantReader = Reader<"tenant">;

/** An enrollment that has not ended, as far as a page of progress needs it. */
const openEnrollment = shape(
  "OpenEnrollment",
  columns(table, { id: idOf<"enrollment">(), student_id: idOf<"person">(), program_id: idOf<"program">() }),
);

/** Enrollments that are computed without a pause. */
const PIECE = 10;

/** Returns JSON text: the progress of all enrollments that have not ended, sorted by the students' names. */
export async function listProgress(reader: TenantReader, _query: object, date: LegalDate): Promise<string> {
  const ids = await openEnrollments(reader);
  const day = { on: Temporal.PlainDate.from(date), time_zone: await timeZoneOf(reader) };
  const revisionOf = revisionsOf(reader);
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += PIECE) {
    for (const { progress } of await computedIn(reader, ids.slice(at, at + PIECE), day, revisionOf))
      found.push(JSON.stringify(progress));
    await yieldToEventLoop();
  }
  return `{"data":[${found.join()}]}`;
}

/** The order of the list: an index of the enrollments that have not ended has it. */
const byStudent = ascending(openEnrollment, "student_id", "program_id");

/** SQLite would rather search by the status, and sort. Each index has the order of the list. */
const inTraining = {
  all: sql`${table} indexed by training_enrollments_open`,
  ofProgram: sql`${table} indexed by training_enrollments_open_program`,
};

const Listed = z.object({ data: z.array(z.object({ id: idOf<"enrollment">() })), page: z.unknown() });

/**
 * Returns JSON text: where the students stand whose training has not ended, as of today. Students see their own.
 *
 * @throws FORBIDDEN
 */
export async function listStudents(
  reader: TenantReader,
  { student_id, program_id, ...page }: ProgressFilter & PageRequest,
  { actor, now }: { actor: MemberActor; now: Date },
): Promise<Bytes> {
  const where = and(
    isOpen,
    student_id && eq(table.student_id, student_id),
    program_id && eq(table.program_id, program_id),
    visibleTo(actor, table.student_id),
  );
  const from = program_id === undefined ? inTraining.all : inTraining.ofProgram;
  const listed = await pageBody(reader, openEnrollment, { ...page, from, where, orderBy: byStudent });
  const { data, page: about } = Listed.parse(JSON.parse(Buffer.from(listed).toString()));
  const day = { on: await today(reader, now), time_zone: await timeZoneOf(reader) };
  const revisionOf = revisionsOf(reader);
  const found: StudentProgress[] = [];
  for (let at = 0; at < data.length; at += PIECE) {
    const ids = data.slice(at, at + PIECE).map(({ id }) => id);
    found.push(...(await standingsOf(reader, await computedIn(reader, ids, day, revisionOf), day)));
    await yieldToEventLoop();
  }
  return Buffer.from(JSON.stringify({ data: found, page: about }));
}

/** Returns the progress of an enrollment with its lessons. @throws NOT_FOUND no such enrollment, or the actor may not see it */
export async function findProgress(
  reader: TenantReader,
  id: EnrollmentId,
  { actor, now }: { actor: MemberActor; now: Date },
): Promise<Progress> {
  const enrollment = await requireEnrollment(reader, id, actor);
  const computed = await progressWithFacts(reader, enrollment, now);
  const { revision, facts } = computed;
  const day = { on: await today(reader, now), time_zone: await timeZoneOf(reader) };
  const [standing] = await standingsOf(reader, [computed], day);
  if (standing === undefined) throw notFound();
  return {
    ...standing,
    lessons: revision.lessons.map((lesson) => ({
      ...lessonWithItems(lesson, facts),
      open: missingBefore(revision.lessons, lesson, facts.done).length === 0,
    })),
  };
}

async function standingsOf(reader: TenantReader, all: readonly Computed[], day: Day): Promise<StudentProgress[]> {
  const given = all.flatMap(({ facts: { flown, ground } }) => [flown.lesson, ground.lesson]);
  const { on } = day;
  const planned = all.filter(({ facts }) => facts.planned_end_on !== null).map(({ facts }) => facts);
  const [from, to] = [await startOf(reader, on), await startOf(reader, on.add({ weeks: weeksAhead }))];
  const students = planned.map(({ student }) => student.id);
  const booked = (await ask(reader, bookedTraining, { students, from, to })).flat();
  const ids = [...given, ...booked.map(({ lesson_id }) => lesson_id)];
  const around: Around = {
    lessons: await lessonsById(reader, { ids: JSON.stringify(ids) }),
    before: await doneItemsIn(
      reader,
      planned.map(({ id }) => id),
      shift(await startOf(reader, on.subtract({ weeks: weeksBack })), -1),
    ),
    booked,
  };
  return all.map((computed) => standingOf(computed, around, day));
}

/** Returns the progress of an enrollment as it is on a day. Does not check the actor. @throws NOT_FOUND */
export const progressOn = async (
  reader: TenantReader,
  id: EnrollmentId,
  on: Temporal.PlainDate,
): Promise<PublicProgress> => (await computedOn(reader, id, on)).progress;

/**
 * Returns the progress with what it is computed from: as of today, or of the last day of a training that has ended. Does not
 * check the actor. @throws NOT_FOUND
 */
export const progressWithFacts = async (
  reader: TenantReader,
  { id, ended_on }: { id: EnrollmentId; ended_on: LegalDate | null },
  now: Date,
): Promise<Computed> =>
  computedOn(reader, id, ended_on === null ? await today(reader, now) : Temporal.PlainDate.from(ended_on));

async function computedOn(reader: TenantReader, id: EnrollmentId, on: Temporal.PlainDate): Promise<Computed> {
  const day = { on, time_zone: await timeZoneOf(reader) };
  const [computed] = await computedIn(reader, [id], day, revisionsOf(reader));
  if (computed === undefined) throw notFound();
  return computed;
}

async function computedIn(
  reader: TenantReader,
  ids: readonly EnrollmentId[],
  day: Day,
  revisionOf: (id: RevisionId) => Promise<Revision>,
): Promise<Computed[]> {
  const found: Computed[] = [];
  for (const facts of await factsOf(reader, ids, day.on)) {
    const revision = await revisionOf(facts.revision_id);
    found.push({ progress: progressOf(facts, revision, day), facts, revision });
  }
  return found;
}

/** Reads each revision once: many students are enrolled in few. */
function revisionsOf(reader: TenantReader): (id: RevisionId) => Promise<Revision> {
  const known = new Map<RevisionId, Promise<Revision>>();
  const read = async (id: RevisionId) => {
    const lessons = await lessonsOf(reader, id);
    const items = lessons.flatMap(({ code, items }) => items.map((item) => itemKey(code, item.code)));
    return { ...(await requireRevision(reader, id)), lessons, items };
  };
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}
