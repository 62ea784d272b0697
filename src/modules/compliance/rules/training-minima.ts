/** What a student still lacks for a licence. */
import type { TrainingRule } from "./rule.ts";
import { hasReached } from "./validity.ts";

/** Times in minutes. `simulator_minutes` are not part of `total_minutes`. */
export interface Trained {
  total_minutes: number;
  simulator_minutes: number;
  dual_minutes: number;
  solo_minutes: number;
  solo_cross_country_minutes: number;
  /** Solo cross-country flights with their distance and their full-stop landings at other aerodromes. */
  cross_countries: readonly { distance_km: number; full_stops_elsewhere: number }[];
}

export interface Lack {
  what: "total_minutes" | "dual_minutes" | "solo_minutes" | "solo_cross_country_minutes" | "long_cross_country" | "age";
  /** Minutes; 1 for the long cross-country flight; years for the age. */
  required: number;
  done: number;
}

/** Returns the minima that are not met, in the order of the rule. */
export function missingFor(
  rule: TrainingRule,
  trained: Trained,
  { on, date_of_birth }: { on: Temporal.PlainDate; date_of_birth: Temporal.PlainDate },
): Lack[] {
  const inSimulator = Math.min(trained.simulator_minutes, rule.simulator_minutes_at_most);
  const long = trained.cross_countries.some(
    ({ distance_km, full_stops_elsewhere }) =>
      distance_km >= rule.distance_km && full_stops_elsewhere >= rule.full_stops_elsewhere,
  );
  const old = hasReached(rule.minimum_age, date_of_birth, on);
  const all: Lack[] = [
    { what: "total_minutes", required: rule.total_minutes, done: trained.total_minutes + inSimulator },
    { what: "dual_minutes", required: rule.dual_minutes, done: trained.dual_minutes },
    { what: "solo_minutes", required: rule.solo_minutes, done: trained.solo_minutes },
    {
      what: "solo_cross_country_minutes",
      required: rule.solo_cross_country_minutes,
      done: trained.solo_cross_country_minutes,
    },
    { what: "long_cross_country", required: 1, done: long ? 1 : 0 },
    {
      what: "age",
      required: rule.minimum_age,
      done: old ? rule.minimum_age : date_of_birth.until(on, { largestUnit: "years" }).years,
    },
  ];
  return all.filter(({ required, done }) => done < required);
}
