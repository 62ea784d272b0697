/** Which record of a person or an aircraft counts on a day. Pure: over records that were read, or made up by a test. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { longestValid } from "../evaluations/compare.ts";
import { levelsWithin, otherLevelsAfter } from "../rules/other-levels.ts";
import type { Method } from "../rules/rule.ts";
import type { HeldRecord } from "./records.shapes.ts";

/** A record of one of the types and, if there are any, of one of the levels. */
export interface Needed {
  any_of: readonly string[];
  levels?: readonly string[];
}

export type Held =
  | { state: "valid" | "expired" | "withdrawn"; record: HeldRecord }
  | { state: "missing"; record: null };

/** Returns the record that counts on a day: of those issued by then that are not void, the one that is valid longest. */
export function heldOn(records: readonly HeldRecord[], { any_of, levels }: Needed, on: Temporal.PlainDate): Held {
  const date = toLegalDate(on);
  const issued = records.filter(({ issued_on }) => issued_on <= date);
  const record = longestValid(standing(issued), any_of, levels);
  if (record && isValidOn(record, date)) return { state: "valid", record };
  const withdrawn = longestValid(
    issued.filter((one) => one.withdrawn_at !== null),
    any_of,
    levels,
  );
  if (withdrawn && (record === undefined || record.issued_on <= withdrawn.issued_on))
    return { state: "withdrawn", record: withdrawn };
  return record ? { state: "expired", record } : { state: "missing", record: null };
}

/** The documents of which a person holds one at a time, whatever its level (MED.A.030). */
const oneAtATime = ["medical"];

/**
 * Returns the records that stand: not those that were withdrawn, and not those before one of these, since its withdrawal shows
 * that the document was suspended or revoked. Of the same day, one that was entered after the withdrawal stands.
 */
export function standing<R extends Pick<HeldRecord, "type" | "level" | "issued_on" | "entered_at" | "withdrawn_at">>(
  records: readonly R[],
): R[] {
  const withdrawn = records.flatMap(({ withdrawn_at: at, ...one }) => (at === null ? [] : [{ ...one, at }]));
  const isSame = (one: Pick<HeldRecord, "type" | "level">, other: R) =>
    one.type === other.type && (one.level === other.level || oneAtATime.includes(one.type));
  const isVoid = (record: R) =>
    withdrawn.some(
      (one) =>
        isSame(one, record) &&
        (record.issued_on < one.issued_on || (record.issued_on === one.issued_on && record.entered_at <= one.at)),
    );
  return records.filter((record) => record.withdrawn_at === null && !isVoid(record));
}

/**
 * Returns each record once for each level that it covers, with the last day that the document states for it, else the computed one.
 * While it is valid itself, it covers them all; a level whose last day is not known, no longer.
 */
export const withOtherLevels = <
  R extends Pick<HeldRecord, "type" | "level" | "issued_on" | "valid_until" | "other_levels">,
>(
  records: readonly R[],
  date_of_birth: LegalDate | null,
): R[] =>
  records.flatMap((record) => {
    const { type, level, issued_on, valid_until, other_levels } = record;
    const within = levelsWithin(type, level);
    if (within.length === 0) return [record];
    const birth = date_of_birth === null ? undefined : Temporal.PlainDate.from(date_of_birth);
    const computed = otherLevelsAfter({ type, level, done_on: Temporal.PlainDate.from(issued_on) }, birth);
    const covered = within.map((other) => {
      const known = [...other_levels, ...computed].find((one) => one.level === other)?.valid_until ?? null;
      const isLonger = valid_until !== null && known !== null && known > valid_until;
      return { ...record, level: other, valid_until: isLonger ? known : valid_until };
    });
    return [record, ...covered];
  });

/** Returns how many of the last records of a type by a day are by a method. */
export function inARow(
  records: readonly HeldRecord[],
  { type, method, on }: { type: string; method: Method; on: Temporal.PlainDate },
): number {
  const last = standing(records)
    .filter((one) => one.type === type && one.issued_on <= toLegalDate(on))
    .toSorted((one, other) => compare(other.issued_on, one.issued_on) || compare(other.entered_at, one.entered_at));
  const other = last.findIndex((one) => one.method !== method);
  return other < 0 ? last.length : other;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the first of the days on which no record is valid with what is held then; the last day if there is none. */
export function heldThrough(
  records: readonly HeldRecord[],
  needed: Needed,
  days: readonly [Temporal.PlainDate, ...Temporal.PlainDate[]],
): Held & { on: Temporal.PlainDate } {
  const [first, ...others] = days;
  let held = { ...heldOn(records, needed, first), on: first };
  for (const on of others) {
    if (held.state !== "valid") break;
    held = { ...heldOn(records, needed, on), on };
  }
  return held;
}

export const isValidOn = ({ issued_on, valid_until, withdrawn_at }: HeldRecord, date: LegalDate): boolean =>
  withdrawn_at === null && issued_on <= date && (valid_until === null || valid_until >= date);
