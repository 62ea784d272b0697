/** What a student has done and still lacks of a program's minima. Schools may have minima of their own, so they are data. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Source, TrainingRule } from "./rule.ts";

/** What is summed over flights and ground sessions. */
export const summed = [
  "total_minutes",
  "dual_minutes",
  "solo_minutes",
  "cross_country_minutes",
  "dual_cross_country_minutes",
  "solo_cross_country_minutes",
  "night_minutes",
  "dual_night_minutes",
  "instrument_minutes",
  "simulator_minutes",
  "ground_minutes",
  "landings",
  "solo_landings",
  "solo_night_landings",
] as const;
export type Summed = (typeof summed)[number];

/** `long_cross_country`: solo flights of a distance with full-stop landings elsewhere. `age`: in years. */
export const measures = [...summed, "long_cross_country", "age"] as const;
export type Measure = (typeof measures)[number];

export interface Minimum {
  measure: Measure;
  required: number;
  /** Of `total_minutes`: at most this time in a simulator counts. */
  simulator_minutes_at_most: number | null;
  /** Of `long_cross_country`. */
  distance_km: number | null;
  full_stops_elsewhere: number | null;
  legal_basis: string;
  effective_from: LegalDate;
}

/** Times in minutes. `simulator_minutes` are not part of `total_minutes`. */
export type Trained = Readonly<Record<Summed, number>> & {
  /** Solo cross-country flights with their distance and their full-stop landings at other aerodromes. */
  cross_countries: readonly { distance_km: number; full_stops_elsewhere: number }[];
  /** Credited long cross-country flights. */
  long_cross_country: number;
  /** Years; null if the date of birth is not known. */
  age: number | null;
};

const minimumBy =
  ({ article, regulation, effective_from }: Source) =>
  (measure: Measure, required: number, more: Partial<Minimum> = {}): Minimum => ({
    measure,
    required,
    simulator_minutes_at_most: null,
    distance_km: null,
    full_stops_elsewhere: null,
    legal_basis: `${article}, ${regulation}`,
    effective_from,
    ...more,
  });

interface RatingTraining {
  minima: Readonly<Partial<Record<Measure, number>>>;
  /** Of the long cross-country flight. */
  distance_km?: number;
  full_stops_elsewhere?: number;
  source: Source;
}

/** Returns the minima of a rating or a certificate. */
export function ratingMinima({ minima, distance_km, full_stops_elsewhere, source }: RatingTraining): Minimum[] {
  const minimum = minimumBy(source);
  const long = { distance_km: distance_km ?? null, full_stops_elsewhere: full_stops_elsewhere ?? null };
  return measures.flatMap((measure) => {
    const required = minima[measure];
    return required === undefined ? [] : minimum(measure, required, measure === "long_cross_country" ? long : {});
  });
}

/** Returns the minima of a licence. */
export function minimaOf(rule: TrainingRule): Minimum[] {
  const minimum = minimumBy(rule.source);
  const { distance_km, full_stops_elsewhere, simulator_minutes_at_most } = rule;
  return [
    minimum("total_minutes", rule.total_minutes, { simulator_minutes_at_most }),
    minimum("dual_minutes", rule.dual_minutes),
    minimum("solo_minutes", rule.solo_minutes),
    minimum("solo_cross_country_minutes", rule.solo_cross_country_minutes),
    minimum("long_cross_country", 1, { distance_km, full_stops_elsewhere }),
    minimum("age", rule.minimum_age),
  ];
}

/** Returns how much of a minimum is done; null: not known, the age without the date of birth. */
export function doneOf(minimum: Minimum, trained: Trained): number | null {
  const { measure, simulator_minutes_at_most, distance_km, full_stops_elsewhere } = minimum;
  if (measure === "age") return trained.age;
  if (measure === "total_minutes")
    return trained.total_minutes + Math.min(trained.simulator_minutes, simulator_minutes_at_most ?? 0);
  if (measure !== "long_cross_country") return trained[measure];
  const isLong = (flight: Trained["cross_countries"][number]) =>
    flight.distance_km >= (distance_km ?? 0) && flight.full_stops_elsewhere >= (full_stops_elsewhere ?? 0);
  return trained.long_cross_country + trained.cross_countries.filter(isLong).length;
}
