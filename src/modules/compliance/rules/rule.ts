/** A rule of aviation law: its figures are data, so that one table shows them all (`rules.ts`). */
import type { LegalDate } from "../../../core/dates.ts";

/** Where a rule is written. A rule that changes becomes a new row with its own date. */
export interface Source {
  /** An article, such as `MED.A.045`. */
  article: string;
  regulation: string;
  /** The first day on which the text applies. */
  effective_from: LegalDate;
}

/** How long a document or a rating is valid. A computed expiry is a suggestion: the date on the document counts. */
export interface ValidityRule {
  title: string;
  /** The last period whose conditions the holder meets applies. */
  periods: readonly Period[];
  ends: "on_day" | "end_of_month";
  /** How it is revalidated or renewed. The first is the usual way. */
  ways: Partial<Record<Method, Way>>;
  source: Source;
}

/**
 * How a document is made valid: by an examination, check or test, or by flight experience; an ARC by an airworthiness review or
 * the extension of one.
 */
export const methods = ["check", "experience", "review", "extension"] as const;
export type Method = (typeof methods)[number];

export interface Way {
  /** At most this long before the expiry, the new period continues from the expiry. None: every period starts anew. */
  early?: Temporal.DurationLike;
  /** Only while the document is valid, or only in the time of `early`. None: also after it has lapsed. */
  only?: "while_valid" | "early";
  /** At most this often in a row. */
  in_a_row?: number;
}

export interface Period {
  /** Null: unlimited. */
  months: number | null;
  /** The holder has reached this age on the day of the examination. */
  from_age?: number;
  /** The document ends on this birthday at the latest. */
  until_age?: number;
  /** Only for holders who fly passengers commercially, with one pilot. */
  only_single_pilot_commercial?: true;
}

/** Sums that flights of a recent time must reach. */
export interface ExperienceRule<What extends string = string> {
  title: string;
  within: Temporal.DurationLikeObject;
  needs: Readonly<Record<What, number>>;
  source: Source;
}

/** The time for which records are kept. */
export interface KeepingRule {
  /** What is kept. */
  title: string;
  years: number;
  source: Source;
}

/** The least training for a licence. Times are in minutes, distances in kilometres. */
export interface TrainingRule {
  title: string;
  total_minutes: number;
  /** At most this part of the total may be flown in a simulator. */
  simulator_minutes_at_most: number;
  dual_minutes: number;
  solo_minutes: number;
  solo_cross_country_minutes: number;
  /** One solo cross-country flight of this distance, with full-stop landings at this many other aerodromes. */
  distance_km: number;
  full_stops_elsewhere: number;
  minimum_age: number;
  source: Source;
}
