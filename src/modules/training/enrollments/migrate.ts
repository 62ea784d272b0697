/** Moves a student to another revision of the program. Lessons and items with the same codes are the same. */

import type { MemberActor } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { invalid, wrongStatus } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { doneItems, itemKey } from "../progress/done-items.queries.ts";
import { freezeRevision } from "../revisions/freeze-revision.ts";
import { lessonsOf, type RevisionRow, requireRevision } from "../revisions/revisions.queries.ts";
import type { RevisionId } from "../training.tables.ts";
import { knownRevision, requireInEffect } from "./enroll.ts";
import { type EnrollmentRow, enrollmentEntity, requireEnrollment } from "./enrollments.queries.ts";
import { requireStatus } from "./enrollments.verbs.ts";
import type { MigrationPreview } from "./migration.schemas.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND; VALIDATION_ERROR; CONFLICT it is not active, or the other revision is not published */
export const migrateEnrollment = changeVerb(enrollmentEntity, {
  permission: "training:manage",
  action: "migrated",
  async set(tx, row, { revision_id }: { revision_id: RevisionId }) {
    requireStatus(row, "active");
    const { effective_from } = await requireTarget(tx, row, revision_id);
    requireInEffect(effective_from, "revision_id", toLegalDate(await today(tx, tx.now)));
    await freezeRevision(tx, revision_id);
    return { revision_id };
  },
});

/** @throws VALIDATION_ERROR it is of another program, or the present one; CONFLICT it is not published */
async function requireTarget(reader: TenantReader, row: EnrollmentRow, id: RevisionId): Promise<RevisionRow> {
  const target = await knownRevision(reader, id);
  const refuse = (message: string) => invalid({ path: "revision_id", code: "impossible", message });
  if (target.program_id !== row.program_id) throw refuse("The revision is of another program.");
  if (target.id === row.revision_id) throw refuse("The student is enrolled in this revision.");
  if (target.status !== "published") throw wrongStatus("revision", target.status, "published");
  return target;
}

type Asked = { enrollmentId: EnrollmentId; revision_id: RevisionId };

/** Returns what a migration would keep, add and drop. @throws as `migrateEnrollment` */
export async function previewMigration(
  reader: TenantReader,
  { enrollmentId, revision_id }: Asked,
  actor: MemberActor,
): Promise<MigrationPreview> {
  const row = await requireEnrollment(reader, enrollmentId, actor);
  const to = await requireTarget(reader, row, revision_id);
  const from = await requireRevision(reader, row.revision_id);
  const [old, next] = [await lessonsOf(reader, from.id), await lessonsOf(reader, to.id)];
  const done = await doneItems(reader, row.id);
  const items = compare(itemsIn(old), itemsIn(next), ({ lesson, code }) => itemKey(lesson, code));
  const isDone = ({ lesson, code }: Item) => done.has(itemKey(lesson, code));
  return {
    from: { id: from.id, number: from.number },
    to: { id: to.id, number: to.number },
    lessons: compare(old.map(brief), next.map(brief), ({ code }) => code),
    items: {
      kept: items.kept.map((item) => ({ ...item, done: isDone(item) })),
      added: items.added,
      dropped: items.dropped.map((item) => ({ ...item, done: isDone(item) })),
    },
    minima: { from: from.minima, to: to.minima },
    aircraft_classes: { from: from.aircraft_classes, to: to.aircraft_classes },
  };
}

interface Item {
  lesson: string;
  code: string;
  name: string;
}

const brief = ({ code, name }: { code: string; name: string }) => ({ code, name });

const itemsIn = (lessons: Awaited<ReturnType<typeof lessonsOf>>): Item[] =>
  lessons.flatMap(({ code: lesson, items }) => items.map(({ code, name }) => ({ lesson, code, name })));

function compare<T extends { name: string }>(old: readonly T[], next: readonly T[], keyOf: (part: T) => string) {
  const later = new Map(next.map((part) => [keyOf(part), part]));
  const earlier = new Set(old.map(keyOf));
  return {
    kept: old.flatMap((part) => {
      const same = later.get(keyOf(part));
      return same ? [{ ...part, new_name: same.name }] : [];
    }),
    added: next.filter((part) => !earlier.has(keyOf(part))),
    dropped: old.filter((part) => !later.has(keyOf(part))),
  };
}
