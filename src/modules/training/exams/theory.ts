/** The standing of a student's theory exams (FCL.025). Pure: the figures are those of the revision, but for the length of a sitting. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { theoryRule } from "../../compliance/rules/rules.ts";
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
  /** By their numbers. Exams without one are of a sitting on their day. */
  sittings: Map<number | string, Sitting>;
  completed: LegalDate | null;
}

interface Sitting {
  last: LegalDate;
  /** Whether a subject was failed in it: there is one attempt at each in a sitting. */
  hasFailure: boolean;
}

/**
 * Evaluates exams in the order in which they were taken. A set begins with its first exam. It ends if it is not complete in
 * time, in the last of its sittings, or in the last attempt at a subject. Then the complete set is taken again (FCL.025 (b)):
 * nothing that was passed in it counts, nor what is passed in the rest of that sitting.
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
    if (set === undefined || endedBefore(rules, set, exam)) set = begun(rules, exam.taken_on);
    take(set, exam);
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
    ...{ sittings: new Map(), completed: null },
  };
}

function take(set: ExamSet, { subject, sitting, taken_on, passed }: Sat): void {
  const key = sitting ?? taken_on;
  const known = set.sittings.get(key) ?? { last: lastDayOf(taken_on, sitting), hasFailure: false };
  set.sittings.set(key, { ...known, hasFailure: known.hasFailure || !(passed || set.passed.has(subject)) });
  set.attempts.set(subject, (set.attempts.get(subject) ?? 0) + 1);
  if (passed && !set.passed.has(subject)) set.passed.set(subject, taken_on);
}

const lastDayOf = (first: LegalDate, sitting: number | null): LegalDate =>
  sitting === null ? first : toLegalDate(Temporal.PlainDate.from(first).add({ days: theoryRule.sitting_days - 1 }));

const lastSitting = ({ sittings }: ExamSet): [number | string, Sitting] | undefined => [...sittings].at(-1);

/** Returns whether an exam is of the next set. The rest of the sitting in which a set has ended is not. */
function endedBefore(rules: TheoryRules, set: ExamSet, { sitting, taken_on }: Sat): boolean {
  if (set.completed !== null || taken_on > set.last) return isOver(rules, set, taken_on);
  const [key, last] = lastSitting(set) ?? [];
  if (key === (sitting ?? taken_on) && last !== undefined && taken_on <= last.last) return false;
  return isOver(rules, set, taken_on) || isLast(rules, set);
}

/** Returns whether a set has all its sittings. */
const isLast = ({ sittings }: TheoryRules, set: ExamSet): boolean => sittings !== null && set.sittings.size >= sittings;

/** Returns whether a complete set is no longer valid, or another can't become complete any more. */
function isOver(rules: TheoryRules, set: ExamSet, on: LegalDate): boolean {
  if (set.completed !== null) return on > validUntil(rules, set.completed);
  const [, sitting] = lastSitting(set) ?? [];
  return (
    on > set.last ||
    [...set.attempts].some(([code, count]) => count >= rules.attempts && !set.passed.has(code)) ||
    (isLast(rules, set) && sitting !== undefined && (sitting.hasFailure || on > sitting.last))
  );
}

const validUntil = ({ valid_months }: TheoryRules, completed: LegalDate): LegalDate =>
  toLegalDate(Temporal.PlainDate.from(completed).add({ months: valid_months }));
