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
