/** Whether flights of a recent time reach the sums of a rule, until when, and what is missing. */
import { onceFor, onceForBoth } from "../../../core/once.ts";
import type { ExperienceRule } from "./rule.ts";
import { experienceRules } from "./rules.ts";

/** What a day of flying adds to the sums: landings, or minutes. Sessions in a simulator (`nature`) are no flights: leave them out. */
export interface Flown<What extends string> {
  date: Temporal.PlainDate;
  amounts: Readonly<Partial<Record<What, number>>>;
}

export interface Shortfall<What extends string> {
  what: What;
  /** Landings, or minutes. */
  amount: number;
  /** The last day to fly it. Null: before the next flight under the rule. */
  by: Temporal.PlainDate | null;
}

export interface Standing<What extends string> {
  met: boolean;
  /** The last day on which the rule is met without further flights; null if it is not met. */
  until: Temporal.PlainDate | null;
  /** Missing now; or, if the rule is met, missing on the day after `until`. */
  missing: Shortfall<What>[];
}

type Rule<What extends string> = Pick<ExperienceRule<What>, "within" | "needs">;

/** Returns what tells whether a flight of a date counts on a day. It counts through the day that ends the time after it. */
const countsOn = onceForBoth((within: Rule<string>["within"], on: Temporal.PlainDate) =>
  onceFor((date: Temporal.PlainDate) => compare(date, on) <= 0 && compare(date.add(within), on) >= 0),
);

const counted = <What extends string>(
  { within }: Rule<What>,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
) => {
  const counts = countsOn(within, on);
  return flown.filter(({ date }) => counts(date));
};

/** Returns what is missing before a flight under a rule about the time before each. Nothing: the rule is met. */
export const missingOn = <What extends string>(
  rule: Rule<What>,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
): Shortfall<What>[] => shortfalls(rule.needs, sumsOf(rule.needs, flown, countsOn(rule.within, on)), null);

/** Evaluates a rule about the time before each flight. A flight counts through the day that ends the time after it. */
export function standing<What extends string>(
  rule: Rule<What>,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
): Standing<What> {
  const { within, needs } = rule;
  const counting = counted(rule, flown, on);
  const sums = sumsOf(needs, counting);
  const now = shortfalls(needs, sums, null);
  if (now.length > 0) return { met: false, until: null, missing: now };
  const inOrder = counting
    .map(({ date, amounts }) => ({ lastDay: date.add(within), amounts }))
    .sort((one, other) => compare(one.lastDay, other.lastDay));
  // The sums fall only after the last day of a flight.
  for (const [at, { lastDay, amounts }] of inOrder.entries()) {
    for (const what of namesOf(needs)) sums[what] -= amounts[what] ?? 0;
    const next = inOrder[at + 1];
    if (next && compare(next.lastDay, lastDay) === 0) continue;
    const missing = shortfalls(needs, sums, lastDay);
    if (missing.length > 0) return { met: true, until: lastDay, missing };
  }
  throw new Error("A rule without needs is always met.");
}

/**
 * Evaluates the revalidation of an SEP or TMG rating by experience: the flights of the last 12 months before its expiry.
 * The hours of both classes count, if the pilot holds both ratings.
 *
 * @param exempt from the refresher training: the pilot passed a check or skill test in another class or type
 */
export function revalidationByExperience(
  expiry: Temporal.PlainDate,
  flown: readonly Flown<keyof typeof experienceRules.sep_tmg_by_experience.needs>[],
  { on, exempt = false }: { on: Temporal.PlainDate; exempt?: boolean },
): Standing<keyof typeof experienceRules.sep_tmg_by_experience.needs> {
  const { within, needs } = experienceRules.sep_tmg_by_experience;
  const first = expiry.subtract(within);
  const counted = flown.filter(
    ({ date }) => compare(date, first) >= 0 && compare(date, expiry) <= 0 && compare(date, on) <= 0,
  );
  const required = exempt ? { ...needs, refresher_minutes: 0 } : needs;
  const missing = shortfalls(required, sumsOf(required, counted), expiry);
  const met = missing.length === 0;
  return { met, until: met ? expiry : null, missing };
}

type LaplNeed = keyof typeof experienceRules.lapl_a.needs;

/** The day that is asked about, and the last day on which a check counts that was passed by then. */
interface CheckedOn {
  on: Temporal.PlainDate;
  checked_until?: Temporal.PlainDate | undefined;
}

const isChecked = ({ on, checked_until: until }: CheckedOn) => until !== undefined && compare(until, on) >= 0;

/** As `missingOn`: a proficiency check replaces the flights that FCL.140.A asks for. */
export const laplMissing = (flown: readonly Flown<LaplNeed>[], checked: CheckedOn): Shortfall<LaplNeed>[] =>
  isChecked(checked) ? [] : missingOn(experienceRules.lapl_a, flown, checked.on);

/** As `standing`: a proficiency check replaces the flights that FCL.140.A asks for. */
export function laplStanding(flown: readonly Flown<LaplNeed>[], checked: CheckedOn): Standing<LaplNeed> {
  const { on, checked_until: until } = checked;
  const byFlights = standing(experienceRules.lapl_a, flown, on);
  if (until === undefined || !isChecked(checked)) return byFlights;
  if (byFlights.until !== null && compare(byFlights.until, until) >= 0) return byFlights;
  const past = flown.filter(({ date }) => compare(date, on) <= 0);
  const { missing } = standing(experienceRules.lapl_a, past, until.add({ days: 1 }));
  return { met: true, until, missing: missing.map((lack) => ({ ...lack, by: until })) };
}

type Sums<What extends string> = Record<What, number>;

const namesOf = <What extends string>(needs: Readonly<Sums<What>>) => Object.keys(needs) as What[];

/** @param counts whether a flight of a date counts. By default each does. */
function sumsOf<What extends string>(
  needs: Readonly<Sums<What>>,
  flown: readonly Flown<What>[],
  counts: (date: Temporal.PlainDate) => boolean = () => true,
): Sums<What> {
  const names = namesOf(needs);
  const sums: Sums<What> = { ...needs };
  for (const what of names) sums[what] = 0;
  for (const { date, amounts } of flown) if (counts(date)) for (const what of names) sums[what] += amounts[what] ?? 0;
  return sums;
}

const shortfalls = <What extends string>(
  needs: Readonly<Sums<What>>,
  sums: Readonly<Sums<What>>,
  by: Temporal.PlainDate | null,
): Shortfall<What>[] =>
  namesOf(needs).flatMap((what) => (sums[what] < needs[what] ? [{ what, amount: needs[what] - sums[what], by }] : []));

const compare = Temporal.PlainDate.compare;
