/** Which record of a person or an aircraft counts on a day. Pure: over records that were read, or made up by a test. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { longestValid } from "../evaluations/compare.ts";
import { coveredLevels, type Dated } from "../rules/other-levels.ts";
import type { Method } from "../rules/rule.ts";
import type { HeldRecord } from "./records.shapes.ts";

/** A person or an aircraft, with all their records but those that were entered by mistake. */
export interface Holder {
  records: readonly HeldRecord[];
  /** Null: not known. */
  date_of_birth?: LegalDate | null;
}

/** A record of one of the types and, if there are any, of one of the levels. */
export interface Needed {
  any_of: readonly string[];
  levels?: readonly string[];
}

export type Held =
  | { state: "valid" | "expired" | "withdrawn"; record: HeldRecord }
  | { state: "missing"; record: null };

/** Returns the record that counts on a day: of those that stand then, the one that is valid longest. */
export function heldOn(
  { records, date_of_birth = null }: Holder,
  { any_of, levels }: Needed,
  on: Temporal.PlainDate,
): Held {
  const date = toLegalDate(on);
  const standing = withOtherLevels(standingOn(records, on), date_of_birth);
  const record = longestValid(standing, any_of, levels);
  if (record && isValidOn(record, date)) return { state: "valid", record };
  const issued = records.filter((one) => one.issued_on <= date && one.withdrawn_at !== null);
  const withdrawn = longestValid(withOtherLevels(issued, date_of_birth), any_of, levels);
  if (withdrawn && (record === undefined || record.issued_on <= withdrawn.issued_on))
    return { state: "withdrawn", record: withdrawn };
  return record ? { state: "expired", record } : { state: "missing", record: null };
}

/** Returns the records that stand on a day: of each type and level the newest, unless it is void. */
export function standingOn(records: readonly HeldRecord[], on: Temporal.PlainDate): HeldRecord[] {
  const date = toLegalDate(on);
  const notVoid = standing(records.filter(({ issued_on }) => issued_on <= date));
  return newestOn(records, date).filter((record) => notVoid.includes(record));
}

/**
 * Returns of each type and level the newest of those that were issued by a day and that none issued by then had superseded,
 * although another may be valid longer. Of the same day, the one that was entered later.
 */
function newestOn(records: readonly HeldRecord[], date: LegalDate): HeldRecord[] {
  const issued = records.filter(
    ({ issued_on, superseded_on }) => issued_on <= date && (superseded_on === null || superseded_on > date),
  );
  const alike = Map.groupBy(issued, ({ type, level }) => `${type} ${level}`);
  return [...alike.values()].flatMap((same) => same.toSorted(newestFirst).slice(0, 1));
}

type Entered = Pick<HeldRecord, "issued_on" | "entered_at" | "id">;

const newestFirst = (one: Entered, other: Entered): number =>
  compare(other.issued_on, one.issued_on) || compare(other.entered_at, one.entered_at) || compare(other.id, one.id);

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

/** Returns each record once for each level that it covers, with its last day for that level. */
export const withOtherLevels = <R extends Dated>(records: readonly R[], date_of_birth: LegalDate | null): R[] => {
  const birth = date_of_birth === null ? undefined : Temporal.PlainDate.from(date_of_birth);
  return records.flatMap((record) => [
    record,
    ...coveredLevels(record, birth).map((other) => ({ ...record, ...other })),
  ]);
};

/** Returns how many of the last records of a type by a day are by a method. */
export function inARow(
  records: readonly HeldRecord[],
  { type, method, on }: { type: string; method: Method; on: Temporal.PlainDate },
): number {
  const last = standing(records)
    .filter((one) => one.type === type && one.issued_on <= toLegalDate(on))
    .toSorted(newestFirst);
  const other = last.findIndex((one) => one.method !== method);
  return other < 0 ? last.length : other;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the first of the days on which no record is valid with what is held then; the last day if there is none. */
export function heldThrough(
  holder: Holder,
  needed: Needed,
  days: readonly [Temporal.PlainDate, ...Temporal.PlainDate[]],
): Held & { on: Temporal.PlainDate } {
  const [first, ...others] = days;
  let held = { ...heldOn(holder, needed, first), on: first };
  for (const on of others) {
    if (held.state !== "valid") break;
    held = { ...heldOn(holder, needed, on), on };
  }
  return held;
}

const isValidOn = ({ valid_until }: HeldRecord, date: LegalDate): boolean =>
  valid_until === null || valid_until >= date;
