/** The standing of a student's theory exams (FCL.025). */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { TheoryRules } from "../revisions/syllabus.schemas.ts";
import { isOver, type Sat, setsOf, validUntil } from "./exam-sets.ts";

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

/** Evaluates exams, in the order in which they were taken, as of a day: by the last set that was begun. */
export function theoryStanding(
  rules: TheoryRules,
  subjects: readonly { code: string }[],
  exams: readonly Sat[],
  on: Temporal.PlainDate,
): TheoryStanding {
  const codes = subjects.map(({ code }) => code);
  const date = toLegalDate(on);
  const taken = exams.filter(({ taken_on }) => taken_on <= date);
  const last = setsOf(rules, codes, taken).at(-1);
  const set = last?.completed === null && isOver(rules, last, date) ? undefined : last;
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
