/** Compares what a person or an aircraft holds with what is required of them. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { onceEach, onceFor } from "../../../core/once.ts";
import type { complianceRequirements, EvaluationReason, evaluationStatuses } from "../compliance.tables.ts";
import { type Holder, heldOn } from "../records/held.ts";
import { licenceHeld } from "../records/licence.ts";
import type { HeldRecord } from "../records/records.shapes.ts";
import { classRatings, notForLapl } from "../rules/rules.ts";

export type Requirement = Pick<typeof complianceRequirements.$inferSelect, "id" | "any_of" | "levels">;

/** The days of warning before an expiry, by the key of the type. */
export type WarningDays = Readonly<Record<string, number>>;

export interface Comparison {
  status: (typeof evaluationStatuses)[number];
  reasons: EvaluationReason[];
  /** The first day on which the result may differ. */
  changes_on: LegalDate | null;
}

/** A withdrawn record is missing. */
export function compare(
  requirements: readonly Requirement[],
  holder: Holder,
  warnings: WarningDays,
  today: Temporal.PlainDate,
): Comparison {
  const date = toLegalDate(today);
  const reasons: EvaluationReason[] = [];
  const licences = holder.records.filter(({ type }) => type === "licence");
  const changes = [
    ...holder.records.map(({ issued_on }) => issued_on),
    ...licences.flatMap(({ valid_until }) => (valid_until === null ? [] : daysOf(valid_until, 0))),
  ];
  const isLapl = licenceHeld(holder, today) === "lapl";
  for (const requirement of requirements) {
    const { state, record } = standingUnder(requirement, { holder, isLapl, warnings, today });
    if (record !== null && record.valid_until !== null)
      changes.push(...daysOf(record.valid_until, warnings[record.type] ?? 0));
    if (state === "met" || state === "not_needed") continue;
    const { id: requirement_id, any_of } = requirement;
    const [record_id, valid_until] = [record?.id ?? null, record?.valid_until ?? null];
    reasons.push({ requirement_id, any_of, record_id, valid_until, state });
  }
  const isBroken = reasons.some(({ state }) => state !== "expiring");
  const status = isBroken ? "not_compliant" : reasons.length > 0 ? "expiring" : "compliant";
  return { status, reasons, changes_on: changes.filter((day) => day > date).sort()[0] ?? null };
}

interface Comparing {
  holder: Holder;
  /** Whether the highest licence is an LAPL. */
  isLapl: boolean;
  warnings: WarningDays;
  today: Temporal.PlainDate;
}

/** How a person or an aircraft stands under one requirement. */
interface Standing {
  state: EvaluationReason["state"] | "met" | "not_needed";
  /** The record that counts, if there is one. */
  record: HeldRecord | null;
}

/** A withdrawn record is missing. */
export function standingUnder(
  { any_of, levels }: Requirement,
  { holder, isLapl, warnings, today }: Comparing,
): Standing {
  if (isLapl && isClassRating(any_of)) return { state: "not_needed", record: null };
  const held = heldOn(holder, { any_of, levels }, today);
  const record = held.state === "withdrawn" ? null : held.record;
  if (record === null) return { state: "missing", record };
  const { type, valid_until } = record;
  if (valid_until === null) return { state: "met", record };
  if (held.state === "expired") return { state: "expired", record };
  return { state: valid_until <= warnedUntil(today)(warnings[type] ?? 0) ? "expiring" : "met", record };
}

/** Returns the last expiry of which is warned on a day: of all records of a matrix, one for each number of days of warning. */
const warnedUntil = onceFor((today: Temporal.PlainDate) =>
  onceEach((days: number): LegalDate => toLegalDate(today.add({ days }))),
);

/** Whether a class rating meets the requirement which the holder of an LAPL has no need of, and nothing else than class ratings does. */
const isClassRating = (anyOf: readonly string[]): boolean => {
  const ratings: readonly string[] = Object.values(classRatings);
  return anyOf.some((type) => notForLapl.includes(type)) && anyOf.every((type) => ratings.includes(type));
};

/** Returns the days on which the state may change by itself: the first day of the warning, and the first day after the expiry. */
function daysOf(validUntil: LegalDate, warningDays: number): [LegalDate, LegalDate] {
  const last = Temporal.PlainDate.from(validUntil);
  return [toLegalDate(last.subtract({ days: warningDays })), toLegalDate(last.add({ days: 1 }))];
}
