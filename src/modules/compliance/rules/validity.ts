/** How long a document is valid: suggestions for what an examiner writes on it. */
import { invalid } from "../../../core/errors.ts";
import type { Method, Period, ValidityRule } from "./rule.ts";
import { validityRules } from "./rules.ts";

/** Returns the rule about documents of this type and level. */
export function validityRuleOf(type: string, level: string | null): ValidityRule | undefined {
  const rules: Readonly<Record<string, ValidityRule>> = validityRules;
  const key = level === null ? type : `${type}_${level}`;
  return Object.hasOwn(rules, key) ? rules[key] : undefined;
}

export interface Examination {
  /** The day of the examination, check or test. */
  done_on: Temporal.PlainDate;
  /** The expiry of the document that it revalidates or renews. None for the first one. */
  previous_until?: Temporal.PlainDate | undefined;
  /** Required if the period depends on the holder's age. */
  date_of_birth?: Temporal.PlainDate | undefined;
  /** The holder flies passengers commercially, with one pilot. */
  single_pilot_commercial?: boolean | undefined;
  /** By default `check`. */
  method?: Method | undefined;
}

export interface Validity {
  /** The day from which the months are counted. */
  counted_from: Temporal.PlainDate;
  /** Valid through this day; null: unlimited. */
  valid_until: Temporal.PlainDate | null;
}

/**
 * Returns the validity after an examination. If the last month does not have the day, the period ends on its last day.
 *
 * @throws VALIDATION_ERROR the period depends on the holder's age, and the date of birth is missing or later
 */
export function validityAfter(rule: ValidityRule, examination: Examination): Validity {
  const { done_on: done, date_of_birth: birth } = examination;
  if (rule.periods.some(dependsOnAge)) requireBirth(birth, done);
  const period = rule.periods.findLast((each) => applies(each, examination));
  if (period === undefined) throw new Error(`${rule.title}: no period applies.`);
  const start = startOf(rule, examination);
  if (period.months === null) return { counted_from: start, valid_until: null };
  const last = start.add({ months: period.months });
  const end = rule.ends === "end_of_month" ? last.with({ day: last.daysInMonth }) : last;
  const limit = birth && period.until_age !== undefined ? birthday(birth, period.until_age) : end;
  return { counted_from: start, valid_until: earlier(end, limit) };
}

/** A document revalidated in time continues from its expiry. Every other one starts on the day of the examination. */
function startOf(rule: ValidityRule, { done_on, previous_until, method = "check" }: Examination): Temporal.PlainDate {
  const early = rule.early[method];
  if (previous_until === undefined || early === undefined) return done_on;
  const isInTime = !isBefore(done_on, previous_until.subtract(early)) && !isBefore(previous_until, done_on);
  return isInTime ? previous_until : done_on;
}

const dependsOnAge = ({ from_age, until_age }: Period) => (from_age ?? until_age) !== undefined;

function applies(period: Period, { done_on, date_of_birth, single_pilot_commercial = false }: Examination): boolean {
  if (period.only_single_pilot_commercial && !single_pilot_commercial) return false;
  if (period.from_age === undefined) return true;
  return date_of_birth !== undefined && hasReached(period.from_age, date_of_birth, done_on);
}

function requireBirth(birth: Temporal.PlainDate | undefined, done: Temporal.PlainDate): void {
  const issue = { path: "date_of_birth", message: "The period depends on the holder's age: give the date of birth." };
  if (birth === undefined) throw invalid({ ...issue, code: "required" });
  if (isBefore(done, birth))
    throw invalid({ ...issue, code: "out_of_order", message: "Must not be after the examination." });
}

/** A holder born on 29 February has the birthday on 28 February of other years. */
export const birthday = (birth: Temporal.PlainDate, age: number): Temporal.PlainDate => birth.add({ years: age });

export const hasReached = (age: number, birth: Temporal.PlainDate, on: Temporal.PlainDate): boolean =>
  !isBefore(on, birthday(birth, age));

const isBefore = (one: Temporal.PlainDate, other: Temporal.PlainDate) => Temporal.PlainDate.compare(one, other) < 0;
const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate) => (isBefore(one, other) ? one : other);
