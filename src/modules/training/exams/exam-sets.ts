/** The sets and sittings in which theory exams were taken (FCL.025). Pure: the figures are those of the revision, but for the length of a sitting. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { theoryRule } from "../../compliance/rules/rules.ts";
import type { TheoryRules } from "../revisions/syllabus.schemas.ts";

export interface Sat {
  subject: string;
  sitting: number | null;
  taken_on: LegalDate;
  passed: boolean;
}

/** What a student takes until it is complete, or is taken again as a whole. */
export interface ExamSet {
  exams: Sat[];
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
 * Divides exams, in the order in which they were taken, into sets. A set begins with its first exam. It ends if it is not complete
 * in time, in the last of its sittings, or in the last attempt at a subject. Then the complete set is taken again (FCL.025 (b)):
 * nothing that was passed in it counts, nor what is passed in the rest of that sitting.
 */
export function setsOf(rules: TheoryRules, codes: readonly string[], exams: readonly Sat[]): ExamSet[] {
  const sets: ExamSet[] = [];
  for (const exam of exams) {
    if (!codes.includes(exam.subject)) continue;
    const last = sets.at(-1);
    const set = last === undefined || endedBefore(rules, last, exam) ? begun(rules, exam.taken_on) : last;
    if (set !== last) sets.push(set);
    take(set, exam);
    if (set.completed === null && codes.every((code) => set.passed.has(code))) set.completed = exam.taken_on;
  }
  return sets;
}

function begun({ months }: TheoryRules, first: LegalDate): ExamSet {
  const endOfMonth = Temporal.PlainDate.from(first).add({ months: 1 }).with({ day: 1 }).subtract({ days: 1 });
  const last = endOfMonth.add({ days: 1 }).add({ months }).subtract({ days: 1 });
  return {
    exams: [],
    first,
    last: toLegalDate(last),
    attempts: new Map(),
    passed: new Map(),
    sittings: new Map(),
    completed: null,
  };
}

function take(set: ExamSet, exam: Sat): void {
  const { subject, sitting, taken_on, passed } = exam;
  set.exams.push(exam);
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
export function isOver(rules: TheoryRules, set: ExamSet, on: LegalDate): boolean {
  if (set.completed !== null) return on > validUntil(rules, set.completed);
  const [, sitting] = lastSitting(set) ?? [];
  return (
    on > set.last ||
    [...set.attempts].some(([code, count]) => count >= rules.attempts && !set.passed.has(code)) ||
    (isLast(rules, set) && sitting !== undefined && (sitting.hasFailure || on > sitting.last))
  );
}

export const validUntil = ({ valid_months }: TheoryRules, completed: LegalDate): LegalDate =>
  toLegalDate(Temporal.PlainDate.from(completed).add({ months: valid_months }));
