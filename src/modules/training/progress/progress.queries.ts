import type { MemberActor } from "../../../core/actor.ts";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { notFound } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf, today } from "../../../storage/today.ts";
import { requireEnrollment } from "../enrollments/enrollments.queries.ts";
import { lessonsOf, type RevisionRow, requireRevision } from "../revisions/revisions.queries.ts";
import type { RevisionId } from "../training.tables.ts";
import { itemKey, missingBefore } from "./done-items.queries.ts";
import { type Facts, factsOf, openEnrollments } from "./facts.queries.ts";
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
    for (const { progress } of await computedIn(reader, ids.slice(at, at + PIECE), day, revisionOf))
      found.push(JSON.stringify(progress));
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
  const enrollment = await requireEnrollment(reader, id, actor);
  const { progress, revision, facts } = await progressWithFacts(reader, enrollment, now);
  return {
    ...progress,
    lessons: revision.lessons.map((lesson) => {
      const { id, code, name, kind, items } = lesson;
      const done = items.filter((item) => facts.done.has(itemKey(code, item.code))).length;
      const open = missingBefore(revision.lessons, lesson, facts.done).length === 0;
      return { id, code, name, kind, items: { done, total: items.length }, open };
    }),
  };
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

interface Revision extends RevisionRow {
  lessons: Awaited<ReturnType<typeof lessonsOf>>;
  items: readonly string[];
}

interface Computed {
  progress: PublicProgress;
  facts: Facts;
  revision: Revision;
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
