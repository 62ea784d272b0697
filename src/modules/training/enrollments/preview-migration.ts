/** What a move to another revision would change for one student, before anybody makes it. */
import { permits } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { itemKey } from "../progress/done-items.queries.ts";
import { type Facts, factsOf } from "../progress/facts.queries.ts";
import { theoryOf } from "../progress/progress.ts";
import { lessonsOf, type RevisionRow, requireRevision } from "../revisions/revisions.queries.ts";
import type { RevisionId } from "../training.tables.ts";
import { requireEnrollment } from "./enrollments.queries.ts";
import { requireOther } from "./migrate.ts";
import type { MigrationPreview } from "./migration.schemas.ts";

type TenantReader = Reader<"tenant">;
type Asked = { enrollmentId: EnrollmentId; revision_id: RevisionId };

/**
 * Returns what a migration would keep, add and drop. Of a draft only to members who manage training: they look before they publish.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR as `migrateEnrollment`; CONFLICT the revision is retired, or a draft of others
 */
export async function previewMigration(
  reader: TenantReader,
  { enrollmentId, revision_id }: Asked,
  { actor, clock }: InOrganization,
): Promise<MigrationPreview> {
  const row = await requireEnrollment(reader, enrollmentId, actor);
  const to = await requireOther(reader, row, revision_id);
  const maySee = to.status === "published" || (to.status === "draft" && permits(actor, "training:manage"));
  if (!maySee) throw wrongStatus("revision", to.status, "published");
  const from = await requireRevision(reader, row.revision_id);
  const [old, next] = [await lessonsOf(reader, from.id), await lessonsOf(reader, to.id)];
  const on = await today(reader, clock.now());
  const facts = (await factsOf(reader, [row.id], on))[0] ?? { exams: [], done: new Set() };
  const items = compare(itemsIn(old), itemsIn(next), ({ lesson, code }) => itemKey(lesson, code));
  const isDone = ({ lesson, code }: Item) => facts.done.has(itemKey(lesson, code));
  const [passed, counting] = [passedIn(facts, from, on), passedIn(facts, to, on)];
  const subjects = compare(from.subjects, to.subjects, ({ code }) => code);
  return {
    from: { id: from.id, number: from.number },
    to: { id: to.id, number: to.number },
    lessons: compare(old.map(brief), next.map(brief), ({ code }) => code),
    items: {
      kept: items.kept.map((item) => ({ ...item, done: isDone(item) })),
      added: items.added,
      dropped: items.dropped.map((item) => ({ ...item, done: isDone(item) })),
    },
    subjects: {
      kept: subjects.kept.map((subject) => ({
        ...subject,
        passed: passed.has(subject.code),
        stays_passed: counting.has(subject.code),
      })),
      added: subjects.added,
      dropped: subjects.dropped.map((subject) => ({ ...subject, passed: passed.has(subject.code) })),
    },
    theory: { from: from.theory, to: to.theory },
    had_skill_test: from.skill_test,
    skill_test: to.skill_test,
    scales: { from: from.scales, to: to.scales },
    minima: { from: from.minima, to: to.minima },
    aircraft_classes: { from: from.aircraft_classes, to: to.aircraft_classes },
  };
}

/** Returns the codes of the subjects that the student has passed, by the rules of a revision. */
function passedIn(facts: Pick<Facts, "exams">, revision: RevisionRow, on: Temporal.PlainDate): ReadonlySet<string> {
  const subjects = theoryOf(facts, revision, { on })?.subjects ?? [];
  return new Set(subjects.flatMap(({ code, passed_on }) => (passed_on === null ? [] : [code])));
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
