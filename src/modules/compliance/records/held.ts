/**
 * What a person or an aircraft holds on a day: the one place that says so, for the clearance, signoffs, evaluations, the public
 * summary and evidence packs. Pure: over records that were read, or made up by a test. `standing.queries.ts` reads them for many.
 */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { onceForBoth } from "../../../core/once.ts";
import { coveredLevels } from "../rules/other-levels.ts";
import type { Method } from "../rules/rule.ts";
import { oneAtATime } from "../rules/rules.ts";
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

/** A record has the level that was looked for, with its last day for that. */
export type Held =
  | { state: "valid" | "expired" | "withdrawn"; record: HeldRecord }
  | { state: "missing"; record: null };

/** Returns the record that counts on a day: of those that stand then, and of the levels that they cover, the one that is valid longest. */
export function heldOn(holder: Holder, { any_of, levels = [] }: Needed, on: Temporal.PlainDate): Held {
  const { date, counting } = countingOn(holder, on);
  let standing: HeldRecord | undefined;
  let withdrawn: HeldRecord | undefined;
  // A loop: rules ask this a dozen times of each person, so lists of what fits would be much garbage.
  for (const { record, isWithdrawn } of counting) {
    const { type, level } = record;
    if (!any_of.includes(type) || (levels.length > 0 && (level === null || !levels.includes(level)))) continue;
    if (isWithdrawn) withdrawn ??= record;
    else standing ??= record;
  }
  if (standing && (standing.valid_until === null || standing.valid_until >= date))
    return { state: "valid", record: standing };
  if (withdrawn && (standing === undefined || standing.issued_on <= withdrawn.issued_on))
    return { state: "withdrawn", record: withdrawn };
  return standing ? { state: "expired", record: standing } : { state: "missing", record: null };
}

/** A record that counts on a day, for its own level or for another that it covers, unless it is withdrawn by then. */
interface Counting {
  record: HeldRecord;
  isWithdrawn: boolean;
}

/** Returns all that counts on a day, the one that is valid longest first. */
const countingOn = onceForBoth((holder: Holder, on: Temporal.PlainDate) => {
  const { records, date_of_birth = null } = holder;
  const date = toLegalDate(on);
  const birth = date_of_birth === null ? undefined : Temporal.PlainDate.from(date_of_birth);
  const counting: Counting[] = [];
  for (const newest of newestOn(records, date)) {
    const withdrawn = isWithdrawn(newest, records, date);
    counting.push({ record: newest, isWithdrawn: withdrawn });
    for (const other of coveredLevels(newest, birth))
      counting.push({ record: { ...newest, ...other }, isWithdrawn: withdrawn });
  }
  counting.sort(longestFirst);
  return { date, counting };
});

const longestFirst = ({ record: one }: Counting, { record: other }: Counting): number =>
  compare(other.valid_until ?? "9999", one.valid_until ?? "9999");

/** Returns the records that stand on a day: of each type and level the newest, unless it is withdrawn by then. */
export const standingOn = (records: readonly HeldRecord[], date: LegalDate): HeldRecord[] =>
  newestOn(records, date).filter((record) => !isWithdrawn(record, records, date));

/**
 * Returns of each type and level the newest of those that were issued by a day and that none issued by then had superseded,
 * although another may be valid longer. Of the same day, the one that was entered later.
 */
function newestOn(records: readonly HeldRecord[], date: LegalDate): HeldRecord[] {
  const newest: HeldRecord[] = [];
  for (const record of records) {
    const { type, level, issued_on, superseded_on } = record;
    if (issued_on > date || (superseded_on !== null && superseded_on <= date)) continue;
    // A person holds a dozen types and levels at most: looking through them is faster than a map.
    const at = newest.findIndex((one) => one.type === type && one.level === level);
    const known = newest[at];
    if (known === undefined) newest.push(record);
    else if (newestFirst(record, known) < 0) newest[at] = record;
  }
  return newest;
}

type Entered = Pick<HeldRecord, "issued_on" | "entered_at" | "id">;

const newestFirst = (one: Entered, other: Entered): number =>
  compare(other.issued_on, one.issued_on) || compare(other.entered_at, one.entered_at) || compare(other.id, one.id);

/**
 * A record is withdrawn from the day of its withdrawal on. Of a document of which a person holds one at a time, so is every one
 * that was issued before that day, of whatever level: the withdrawal shows that the holder is not fit, or was not.
 */
function isWithdrawn(record: HeldRecord, records: readonly HeldRecord[], date: LegalDate): boolean {
  if (record.withdrawn_on !== null && record.withdrawn_on <= date) return true;
  if (!oneAtATime.includes(record.type)) return false;
  return records.some(
    ({ type, withdrawn_on: on }) => type === record.type && on !== null && on <= date && record.issued_on < on,
  );
}

/** Returns the records that no withdrawal by a day has ended: neither their own, nor that of another. */
export const notWithdrawnOn = (records: readonly HeldRecord[], date: LegalDate): HeldRecord[] =>
  records.filter((record) => !isWithdrawn(record, records, date));

/** Returns how many of the last records of a type by a day are by a method, of one after the other. */
export function inARow(
  records: readonly HeldRecord[],
  { type, method, on }: { type: string; method: Method; on: Temporal.PlainDate },
): number {
  const last = records.filter((one) => one.type === type && one.issued_on <= toLegalDate(on)).toSorted(newestFirst);
  const other = last.findIndex((one) => one.method !== method || one.withdrawn_on !== null);
  return other < 0 ? last.length : other;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the first of the days on which no record is valid with what is held then; the last day if there is none. */
export function heldThrough(
  holder: Holder,
  needed: Needed,
  days: readonly [Temporal.PlainDate, ...Temporal.PlainDate[]],
): Held & { on: Temporal.PlainDate } {
  let on = days[0];
  let held = heldOn(holder, needed, on);
  for (let at = 1; at < days.length && held.state === "valid"; at += 1) {
    on = days[at] ?? on;
    held = heldOn(holder, needed, on);
  }
  return { ...held, on };
}
