/** The standing of a student's theory exams (FCL.025). Pure: the figures are those of the revision. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { TheoryRules } from "../revisions/syllabus.schemas.ts";

export interface Sat {
  subject: string;
  sitting: number | null;
  taken_on: LegalDate;
  passed: boolean;
}

export interface SubjectStanding {
  code: string;
  /** In the present set. */
  attempts: number;
  passed_on: LegalDate | null;
}

export interface TheoryStanding {
  subjects: SubjectStanding[];
  /** The last day to pass the remaining subjects. Null: no exam was taken yet, or all are passed. */
  complete_by: LegalDate | null;
  /** The last day on which the complete set is valid. Null: it is not complete. */
  valid_until: LegalDate | null;
  /** All subjects are passed, and the set is still valid. */
  complete: boolean;
}

interface ExamSet {
  first: LegalDate;
  last: LegalDate;
  attempts: Map<string, number>;
  passed: Map<string, LegalDate>;
  /** Their numbers. Exams without one are of a sitting on their day. */
  sittings: Set<number | string>;
  completed: LegalDate | null;
}

/**
 * Evaluates exams in the order in which they were taken. A set begins with its first exam. It fails if it is not complete in
 * time, if a subject was tried too often, or in too many sittings; then the next exam begins a new set, and earlier passes do
 * not count.
 */
export function theoryStanding(
  rules: TheoryRules,
  subjects: readonly { code: string }[],
  exams: readonly Sat[],
  on: Temporal.PlainDate,
): TheoryStanding {
  const codes = subjects.map(({ code }) => code);
  const date = toLegalDate(on);
  let set: ExamSet | undefined;
  for (const exam of exams) {
    if (exam.taken_on > date || !codes.includes(exam.subject)) continue;
    const sitting = exam.sitting ?? exam.taken_on;
    if (set === undefined || isOver(rules, set, exam.taken_on) || isTooMany(rules, set, sitting))
      set = begun(rules, exam.taken_on);
    set.attempts.set(exam.subject, (set.attempts.get(exam.subject) ?? 0) + 1);
    set.sittings.add(sitting);
    if (exam.passed && !set.passed.has(exam.subject)) set.passed.set(exam.subject, exam.taken_on);
    if (set.completed === null && codes.every((code) => set?.passed.has(code))) set.completed = exam.taken_on;
  }
  if (set?.completed === null && isOver(rules, set, date)) set = undefined;
  const until = set?.completed ? validUntil(rules, set.completed) : null;
  return {
    subjects: codes.map((code) => ({
      code,
      attempts: set?.attempts.get(code) ?? 0,
      passed_on: set?.passed.get(code) ?? null,
    })),
    complete_by: set === undefined || set.completed !== null ? null : set.last,
    valid_until: until,
    complete: codes.length === 0 || (until !== null && until >= date),
  };
}

function begun({ months }: TheoryRules, first: LegalDate): ExamSet {
  const endOfMonth = Temporal.PlainDate.from(first).add({ months: 1 }).with({ day: 1 }).subtract({ days: 1 });
  const last = endOfMonth.add({ days: 1 }).add({ months }).subtract({ days: 1 });
  return {
    ...{ first, last: toLegalDate(last), attempts: new Map(), passed: new Map() },
    ...{ sittings: new Set(), completed: null },
  };
}

/** Returns whether a complete set is no longer valid, or another can't become complete any more. */
function isOver(rules: TheoryRules, set: ExamSet, on: LegalDate): boolean {
  if (set.completed !== null) return on > validUntil(rules, set.completed);
  return on > set.last || [...set.attempts].some(([code, count]) => count >= rules.attempts && !set.passed.has(code));
}

/** Returns whether a sitting is one more than those in which a set must be completed. */
const isTooMany = (
  { sittings: most }: TheoryRules,
  { completed, sittings }: ExamSet,
  sitting: number | string,
): boolean => completed === null && most !== null && !sittings.has(sitting) && sittings.size >= most;

const validUntil = ({ valid_months }: TheoryRules, completed: LegalDate): LegalDate =>
  toLegalDate(Temporal.PlainDate.from(completed).add({ months: valid_months }));
