/** Which record of a person or an aircraft counts on a day. Pure: over records that were read, or made up by a test. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { longestValid } from "../evaluations/compare.ts";
import type { HeldRecord } from "./records.shapes.ts";

/** A record of one of the types and, if there are any, of one of the levels. */
export interface Needed {
  any_of: readonly string[];
  levels?: readonly string[];
}

export type Held =
  | { state: "valid" | "expired" | "withdrawn"; record: HeldRecord }
  | { state: "missing"; record: null };

/**
 * Returns the record that counts on a day: of those issued by then, the one that is valid longest. A record that was
 * withdrawn and would be valid shows that the document was suspended: earlier ones of its type and level do not count.
 */
export function heldOn(records: readonly HeldRecord[], { any_of, levels }: Needed, on: Temporal.PlainDate): Held {
  const date = toLegalDate(on);
  const issued = records.filter(({ issued_on }) => issued_on <= date);
  const suspended = issued.filter((one) => one.withdrawn && covers(one, date));
  const isEarlier = ({ type, level, issued_on }: HeldRecord) =>
    suspended.some((one) => one.type === type && one.level === level && one.issued_on > issued_on);
  const counted = issued.filter((one) => !one.withdrawn && !isEarlier(one));
  const record = longestValid(counted, any_of, levels);
  if (record && isValidOn(record, date)) return { state: "valid", record };
  const withdrawn = longestValid(suspended, any_of, levels);
  if (withdrawn) return { state: "withdrawn", record: withdrawn };
  return record ? { state: "expired", record } : { state: "missing", record: null };
}

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

export const isValidOn = (record: HeldRecord, date: LegalDate): boolean => !record.withdrawn && covers(record, date);

const covers = ({ issued_on, valid_until }: HeldRecord, date: LegalDate): boolean =>
  issued_on <= date && (valid_until === null || valid_until >= date);
