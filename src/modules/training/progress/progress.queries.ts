import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { notFound } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf, today } from "../../../storage/today.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { lessonsOf, type RevisionRow, requireRevision } from "../revisions/revisions.queries.ts";
import { type RevisionId, trainingItems } from "../training.tables.ts";
import { doneItems } from "./done-items.queries.ts";
import { factsOf, openEnrollments } from "./facts.queries.ts";
import type { Progress, PublicProgress } from "./progress.schemas.ts";
import { type Day, progressOf } from "./progress.ts";

type TenantReader = Reader<"tenant">;

/** Enrollments that are computed without a pause. */
const PIECE = 10;

/** Returns JSON text: the progress of all enrollments that have not ended, sorted by the students' names. */
export async function listProgress(reader: TenantReader, _query: object, date: LegalDate): Promise<string> {
  const ids = await openEnrollments(reader);
  const day = { on: Temporal.PlainDate.from(date), time_zone: await timeZoneOf(reader) };
  const revisionOf = revisionsOf(reader);
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += PIECE) {
    for (const one of await progressIn(reader, ids.slice(at, at + PIECE), day, revisionOf))
      found.push(JSON.stringify(one));
    await yieldToEventLoop();
  }
  return `{"data":[${found.join()}]}`;
}

/** Returns the progress of an enrollment with its lessons. @throws NOT_FOUND no such enrollment, or the actor may not see it */
export async function findProgress(
  reader: TenantReader,
  id: EnrollmentId,
  { actor, now }: { actor: MemberActor; now: Date },
): Promise<Progress> {
  const { revision_id } = await requireEnrollment(reader, id, actor);
  const progress = await progressOn(reader, id, await today(reader, now));
  const done = await doneItems(reader, id);
  const lessons = (await lessonsOf(reader, revision_id)).map((lesson) => {
    const { items, requires, ...rest } = lesson;
    const isDone = items.filter(({ code }) => done.has(JSON.stringify([lesson.code, code])));
    return { ...rest, requires, items: { done: isDone.length, total: items.length } };
  });
  const finished = new Set(lessons.flatMap(({ code, items }) => (items.done === items.total ? [code] : [])));
  return {
    ...progress,
    lessons: lessons.map(({ id, code, name, kind, items, requires }) => ({
      ...{ id, code, name, kind, items },
      open: requires.every((code) => finished.has(code)),
    })),
  };
}

/** Returns the progress of an enrollment as it is on a day. Does not check the actor. @throws NOT_FOUND */
export async function progressOn(
  reader: TenantReader,
  id: EnrollmentId,
  on: Temporal.PlainDate,
): Promise<PublicProgress> {
  const day = { on, time_zone: await timeZoneOf(reader) };
  const [progress] = await progressIn(reader, [id], day, revisionsOf(reader));
  if (progress === undefined) throw notFound();
  return progress;
}

type Revision = RevisionRow & { item_count: number };

async function progressIn(
  reader: TenantReader,
  ids: readonly EnrollmentId[],
  day: Day,
  revisionOf: (id: RevisionId) => Promise<Revision>,
): Promise<PublicProgress[]> {
  const found: PublicProgress[] = [];
  for (const facts of await factsOf(reader, ids))
    found.push(progressOf(facts, await revisionOf(facts.revision_id), day));
  return found;
}

/** Reads each revision once: many students are enrolled in few. */
function revisionsOf(reader: TenantReader): (id: RevisionId) => Promise<Revision> {
  const known = new Map<RevisionId, Promise<Revision>>();
  const read = async (id: RevisionId) => {
    const [row] = await reader.values<[number]>(
      sql`select count(*) from ${trainingItems} where ${trainingItems.revision_id} = ${id}`,
    );
    return { ...(await requireRevision(reader, id)), item_count: row?.[0] ?? 0 };
  };
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}
