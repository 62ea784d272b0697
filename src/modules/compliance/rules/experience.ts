/** Whether flights of a recent time reach the sums of a rule, until when, and what is missing. */
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

/** Evaluates a rule about the time before each flight. A flight counts through the day that ends the time after it. */
export function standing<What extends string>(
  { within, needs }: ExperienceRule<What>,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
): Standing<What> {
  const past = flown.filter(({ date }) => compare(date, on) <= 0);
  const countsOn = (day: Temporal.PlainDate) => past.filter(({ date }) => compare(date.add(within), day) >= 0);
  const now = missingOn({ within, needs }, past, on);
  if (now.length > 0) return { met: false, until: null, missing: now };
  // The sums fall only on a day after one on which a flight counts for the last time.
  const lastDays = [...countsOn(on)].map(({ date }) => date.add(within)).sort(compare);
  for (const until of lastDays) {
    const missing = shortfalls(needs, countsOn(until.add({ days: 1 })), until);
    if (missing.length > 0) return { met: true, until, missing };
  }
  throw new Error("A rule without needs is always met.");
}

/** Returns what is missing on a day to meet a rule about the time before it. */
export function missingOn<What extends string>(
  { within, needs }: Pick<ExperienceRule<What>, "within" | "needs">,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
): Shortfall<What>[] {
  const counts = ({ date }: Flown<What>) => compare(date, on) <= 0 && compare(date.add(within), on) >= 0;
  return shortfalls(needs, flown.filter(counts), null);
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
  const missing = shortfalls(required, counted, expiry);
  const met = missing.length === 0;
  return { met, until: met ? expiry : null, missing };
}

/** A proficiency check on `checked_on` replaces the flights that FCL.140.A asks for, for as long. */
export function laplStanding(
  flown: readonly Flown<keyof typeof experienceRules.lapl_a.needs>[],
  { on, checked_on }: { on: Temporal.PlainDate; checked_on?: Temporal.PlainDate | undefined },
): Standing<keyof typeof experienceRules.lapl_a.needs> {
  const byFlights = standing(experienceRules.lapl_a, flown, on);
  const until = checked_on?.add(experienceRules.lapl_a.within);
  if (checked_on === undefined || until === undefined || compare(checked_on, on) > 0 || compare(until, on) < 0)
    return byFlights;
  if (byFlights.until !== null && compare(byFlights.until, until) >= 0) return byFlights;
  const left = flown.filter(({ date }) => compare(date, on) <= 0);
  const after = until.add({ days: 1 });
  const counting = left.filter(({ date }) => compare(date.add(experienceRules.lapl_a.within), after) >= 0);
  return { met: true, until, missing: shortfalls(experienceRules.lapl_a.needs, counting, until) };
}

function shortfalls<What extends string>(
  needs: Readonly<Record<What, number>>,
  flown: readonly Flown<What>[],
  by: Temporal.PlainDate | null,
): Shortfall<What>[] {
  return (Object.keys(needs) as What[]).flatMap((what) => {
    const sum = flown.reduce((total, { amounts }) => total + (amounts[what] ?? 0), 0);
    return sum < needs[what] ? [{ what, amount: needs[what] - sum, by }] : [];
  });
}

const compare = Temporal.PlainDate.compare;
