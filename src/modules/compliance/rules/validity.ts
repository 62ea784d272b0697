/** How long a document is valid: suggestions for what an examiner writes on it. */
import type { Method, Period, ValidityRule, Way } from "./rule.ts";
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
  /** Without it, no period that depends on the holder's age is known. */
  date_of_birth?: Temporal.PlainDate | undefined;
  /** The holder flies passengers commercially, with one pilot. */
  single_pilot_commercial?: boolean | undefined;
  /** By default the usual one. */
  method?: Method | undefined;
  /** How often in a row it was made valid by this method before. */
  in_a_row?: number | undefined;
}

/** Why there is no validity. */
export const obstacles = [
  "not_by_this_method",
  "not_held",
  "lapsed",
  "too_early",
  "too_many_in_a_row",
  "date_of_birth_unknown",
] as const;
export type Obstacle = (typeof obstacles)[number];

export interface Validity {
  /** The day from which the months are counted. */
  counted_from: Temporal.PlainDate;
  /** Valid through this day; null: unlimited. */
  valid_until: Temporal.PlainDate | null;
}

/** Returns the validity after an examination, or why there is none. If the last month does not have the day, it ends on its last day. */
export function validityAfter(rule: ValidityRule, examination: Examination): Validity | Obstacle {
  const { done_on: done, date_of_birth: birth, in_a_row = 0 } = examination;
  const way = wayOf(rule, examination);
  if (way === undefined) return "not_by_this_method";
  const obstacle = way.only && obstacleOf(way, examination);
  if (obstacle) return obstacle;
  if (way.in_a_row !== undefined && in_a_row >= way.in_a_row) return "too_many_in_a_row";
  if (rule.periods.some(dependsOnAge) && (birth === undefined || isBefore(done, birth))) return "date_of_birth_unknown";

  const period = rule.periods.findLast((each) => applies(each, examination));
  if (period === undefined) throw new Error(`${rule.title}: no period applies.`);
  const start = startOf(way, examination);
  if (period.months === null) return { counted_from: start, valid_until: null };
  const last = start.add({ months: period.months });
  const end = rule.ends === "end_of_month" ? last.with({ day: last.daysInMonth }) : last;
  const limit = birth && period.until_age !== undefined ? birthday(birth, period.until_age) : end;
  return { counted_from: start, valid_until: earlier(end, limit) };
}

/** Returns how a document is made valid by the method; `undefined` if it isn't. */
export const wayOf = ({ ways }: ValidityRule, { method }: Pick<Examination, "method">): Way | undefined =>
  method === undefined ? Object.values(ways)[0] : ways[method];

function obstacleOf(way: Way, { done_on, previous_until }: Examination): Obstacle | undefined {
  if (previous_until === undefined) return "not_held";
  if (isBefore(previous_until, done_on)) return "lapsed";
  return way.only === "early" && !isEarly(way, done_on, previous_until) ? "too_early" : undefined;
}

/** A document revalidated in time continues from its expiry. Every other one starts on the day of the examination. */
const startOf = (way: Way, { done_on, previous_until }: Examination): Temporal.PlainDate =>
  previous_until && isEarly(way, done_on, previous_until) ? previous_until : done_on;

const isEarly = ({ early }: Way, done: Temporal.PlainDate, expiry: Temporal.PlainDate): boolean =>
  early !== undefined && !isBefore(done, expiry.subtract(early)) && !isBefore(expiry, done);

const dependsOnAge = ({ from_age, until_age }: Period) => (from_age ?? until_age) !== undefined;

function applies(period: Period, { done_on, date_of_birth, single_pilot_commercial = false }: Examination): boolean {
  if (period.only_single_pilot_commercial && !single_pilot_commercial) return false;
  if (period.from_age === undefined) return true;
  return date_of_birth !== undefined && hasReached(period.from_age, date_of_birth, done_on);
}

/** A holder born on 29 February has the birthday on 28 February of other years. */
export const birthday = (birth: Temporal.PlainDate, age: number): Temporal.PlainDate => birth.add({ years: age });

export const hasReached = (age: number, birth: Temporal.PlainDate, on: Temporal.PlainDate): boolean =>
  !isBefore(on, birthday(birth, age));

const isBefore = (one: Temporal.PlainDate, other: Temporal.PlainDate) => Temporal.PlainDate.compare(one, other) < 0;
const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate) => (isBefore(one, other) ? one : other);
