/** Compares the records of a subject with what is required of it. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { complianceRequirements, EvaluationReason, evaluationStatuses, RecordId } from "../compliance.tables.ts";

export interface Counted {
  id: RecordId;
  type: string;
  level: string | null;
  valid_until: LegalDate | null;
  /** The type's days of warning. */
  warning_days: number;
}

export type Requirement = Pick<typeof complianceRequirements.$inferSelect, "id" | "any_of" | "levels">;

export interface Comparison {
  status: (typeof evaluationStatuses)[number];
  reasons: EvaluationReason[];
  /** The first day on which the result differs. */
  changes_on: LegalDate | null;
}

/** @param records the current ones: of several that meet a requirement, the one that is valid longest counts */
export function compare(
  requirements: readonly Requirement[],
  records: readonly Counted[],
  today: Temporal.PlainDate,
): Comparison {
  const reasons: EvaluationReason[] = [];
  const changes: LegalDate[] = [];
  for (const { id, any_of, levels } of requirements) {
    const best = longestValid(records, any_of, levels);
    const about = { requirement_id: id, any_of, record_id: best?.id ?? null, valid_until: best?.valid_until ?? null };
    if (best === undefined) reasons.push({ ...about, state: "missing" });
    if (best === undefined || best.valid_until === null) continue;
    const [warns, ends] = daysOf(best.valid_until, best.warning_days);
    const date = toLegalDate(today);
    if (date >= ends) reasons.push({ ...about, state: "expired" });
    else if (date >= warns) reasons.push({ ...about, state: "expiring" });
    changes.push(...[warns, ends].filter((day) => day > date));
  }
  const isBroken = reasons.some(({ state }) => state !== "expiring");
  const status = isBroken ? "not_compliant" : reasons.length > 0 ? "expiring" : "compliant";
  return { status, reasons, changes_on: changes.sort()[0] ?? null };
}

type Valid = Pick<Counted, "type" | "level" | "valid_until">;

/** Returns the record that is valid longest, of those with one of the types and, if there are any, one of the levels. */
export const longestValid = <R extends Valid>(
  records: readonly R[],
  anyOf: readonly string[],
  levels: readonly string[] = [],
): R | undefined => records.filter((record) => meets(record, anyOf, levels)).toSorted(longestFirst)[0];

const meets = ({ type, level }: Valid, anyOf: readonly string[], levels: readonly string[]) =>
  anyOf.includes(type) && (levels.length === 0 || (level !== null && levels.includes(level)));

const longestFirst = (one: Valid, other: Valid) => {
  const [first, second] = [one.valid_until ?? "9999", other.valid_until ?? "9999"];
  return first === second ? 0 : first > second ? -1 : 1;
};

/** Returns the first day of the warning, and the first day after the expiry. */
function daysOf(validUntil: LegalDate, warningDays: number): [LegalDate, LegalDate] {
  const last = Temporal.PlainDate.from(validUntil);
  return [toLegalDate(last.subtract({ days: warningDays })), toLegalDate(last.add({ days: 1 }))];
}
