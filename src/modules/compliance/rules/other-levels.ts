/** The levels that a document covers besides its own: a medical certificate of class 1 is one of class 2 and for the LAPL, too. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { includedLevels } from "./rules.ts";
import { validityAfter, validityRuleOf } from "./validity.ts";

/** A level with its own last day. */
export interface OtherLevel {
  level: string;
  valid_until: LegalDate;
}

export const levelsWithin = (type: string, level: string | null): readonly string[] =>
  (level !== null && includedLevels[type]?.[level]) || [];

/**
 * Computes the dates of the other levels, counted from the examination. A suggestion: the document states them.
 *
 * @returns those that are known: not without the date of birth
 */
export function otherLevelsAfter(
  { type, level, done_on }: { type: string; level: string | null; done_on: Temporal.PlainDate },
  date_of_birth: Temporal.PlainDate | undefined,
): OtherLevel[] {
  return levelsWithin(type, level).flatMap((other) => {
    const rule = validityRuleOf(type, other);
    const validity = rule && validityAfter(rule, { done_on, date_of_birth });
    if (validity === undefined || typeof validity === "string" || validity.valid_until === null) return [];
    return [{ level: other, valid_until: toLegalDate(validity.valid_until) }];
  });
}

/** A document with its dates. */
export interface Dated {
  type: string;
  level: string | null;
  issued_on: LegalDate;
  valid_until: LegalDate | null;
  /** What it states. */
  other_levels: readonly OtherLevel[];
}

/**
 * Returns the levels that a document covers besides its own, with the last day for each: the one that it states, else the computed
 * one, and no day before that of a level that includes it. Nothing is computed from a document that is limited.
 */
export function coveredLevels(
  document: Dated,
  date_of_birth: Temporal.PlainDate | undefined,
): { level: string; valid_until: LegalDate | null }[] {
  const { type, level, valid_until, other_levels } = document;
  const within = levelsWithin(type, level);
  if (within.length === 0) return [];
  const done_on = Temporal.PlainDate.from(document.issued_on);
  const computed = isLimited(document, date_of_birth) ? [] : otherLevelsAfter({ type, level, done_on }, date_of_birth);
  const lastDayOf = (other: string) => [...other_levels, ...computed].find((one) => one.level === other)?.valid_until;
  return within.map((other) => {
    const including = within.filter((one) => one === other || levelsWithin(type, one).includes(other));
    const days = including.flatMap((one) => lastDayOf(one) ?? []);
    return { level: other, valid_until: valid_until && ([valid_until, ...days].sort().at(-1) ?? null) };
  });
}

/**
 * Whether the examiner has limited a document: its last day is before that of its level's rule, of whatever the holder does with it. By
 * a limitation the other levels are shorter, too, and only the document knows how much (MED.B.001).
 */
function isLimited(
  { type, level, issued_on, valid_until }: Dated,
  date_of_birth: Temporal.PlainDate | undefined,
): boolean {
  const rule = validityRuleOf(type, level);
  const done_on = Temporal.PlainDate.from(issued_on);
  const usual = rule && validityAfter(rule, { done_on, date_of_birth, single_pilot_commercial: true });
  if (usual === undefined || typeof usual === "string" || usual.valid_until === null) return false;
  return valid_until !== null && valid_until < toLegalDate(usual.valid_until);
}
