/** The sittings of the theory exams (AMC1 FCL.025): each is of consecutive days, with one attempt at each paper. Pure. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Issue } from "../../../core/errors.ts";
import { theoryRule } from "../../compliance/rules/rules.ts";
import type { TheoryRules } from "../revisions/syllabus.schemas.ts";
import { type Sat, setsOf } from "./exam-sets.ts";

/**
 * Returns what an exam would break, in whatever order it and the others are recorded. A new set may count its sittings from 1
 * again, so only the exams of one set are of one sitting.
 *
 * @param others in the order in which they were taken
 */
export function sittingIssues(
  rules: TheoryRules,
  subjects: readonly { code: string }[],
  others: readonly Sat[],
  exam: Sat,
): Issue[] {
  const { subject, sitting, taken_on } = exam;
  if (others.some((one) => one.subject === subject && one.taken_on === taken_on))
    return [issue("taken_on", "duplicate", `The student took ${subject} on ${taken_on} already.`)];
  if (sitting === null) return [];
  const codes = subjects.map(({ code }) => code);
  const set = setsOf(rules, codes, inOrder([...others, exam])).find(({ exams }) => exams.includes(exam));
  const known = set?.exams.filter((one) => one !== exam && one.sitting === sitting) ?? [];
  const [first] = known;
  if (first === undefined) return [];
  if (known.some((one) => one.subject === subject))
    return [
      issue(
        "sitting",
        "duplicate",
        `Sitting ${sitting}, which began on ${first.taken_on}, has an attempt at ${subject} already. Give another number.`,
      ),
    ];
  const days = known.map((one) => one.taken_on);
  if (daysOf([...days, taken_on]) <= theoryRule.sitting_days) return [];
  const was = `Sitting ${sitting} was from ${first.taken_on} to ${days.at(-1)}`;
  return [
    issue(
      "sitting",
      "impossible",
      `${was}. A sitting is at most ${theoryRule.sitting_days} consecutive days (AMC1 FCL.025). Give another number.`,
    ),
  ];
}

const inOrder = (exams: readonly Sat[]): Sat[] =>
  exams.toSorted((one, other) => Temporal.PlainDate.compare(one.taken_on, other.taken_on));

/** Returns the number of consecutive days that all of these are within. */
function daysOf(days: readonly LegalDate[]): number {
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(last)).days + 1;
}

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });
