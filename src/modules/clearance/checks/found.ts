/** What the checks take and return. */
import { dateIn, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { longestValid } from "../../compliance/evaluations/compare.ts";
import type { Shortfall } from "../../compliance/rules/experience.ts";
import type { CrewMember } from "../../flights/flight-rules.ts";
import type { AircraftFacts, HeldRecord, PersonFacts, SchoolFacts, Use } from "../facts/facts.shapes.ts";

export interface Case {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  use: Use;
  /** The days on which the flight begins and ends, where the organization is. */
  on: Temporal.PlainDate;
  ends_on: Temporal.PlainDate;
}

export interface PersonCase extends Case {
  person: PersonFacts;
  function: CrewMember["function"];
}

/** A rule that is not met. */
export interface Found {
  message: string;
  /** What would put it right. */
  lifted_by: string;
  /** The record that counts, if there is one. */
  record: HeldRecord | null;
  /** Flight experience that is missing. */
  missing: Shortfall<string>[];
  /** About a medical certificate. The message names no date. */
  health: boolean;
}

export const casesOf = ({ school, aircraft, use }: Pick<Case, "school" | "aircraft" | "use">): Case => ({
  ...{ school, aircraft, use },
  on: dateIn(school.time_zone, new Date(use.at)),
  ends_on: dateIn(school.time_zone, new Date(use.ends_at)),
});

export const found = (
  message: string,
  lifted_by: string,
  { record = null, missing = [], health = false }: Partial<Found> = {},
): Found => ({ message, lifted_by, record, missing, health });

type Held = { state: "valid" | "expired" | "withdrawn"; record: HeldRecord } | { state: "missing"; record: null };

/**
 * Returns the record that counts on a day: of those issued by then, the one that is valid longest. Without a valid one, a
 * record that was withdrawn and would be valid shows that the document was suspended.
 */
export function heldOn(
  records: readonly HeldRecord[],
  on: Temporal.PlainDate,
  anyOf: readonly string[],
  levels?: readonly string[],
): Held {
  const date = toLegalDate(on);
  const issued = records.filter(({ issued_on }) => issued_on <= date);
  const [record, withdrawn] = [false, true].map((is) =>
    longestValid(
      issued.filter((one) => one.withdrawn === is),
      anyOf,
      levels,
    ),
  );
  if (record && isValidOn(record, date)) return { state: "valid", record };
  if (withdrawn && covers(withdrawn, date)) return { state: "withdrawn", record: withdrawn };
  return record ? { state: "expired", record } : { state: "missing", record: null };
}

export const isValidOn = (record: HeldRecord, date: LegalDate): boolean => !record.withdrawn && covers(record, date);

const covers = ({ issued_on, valid_until }: HeldRecord, date: LegalDate): boolean =>
  issued_on <= date && (valid_until === null || valid_until >= date);

interface Needed {
  any_of: readonly string[];
  levels?: readonly string[];
}

/** Returns what is found if none of the types has a record that is valid on the day. */
export function recordIssues(
  { school, on }: Case,
  records: readonly HeldRecord[],
  { any_of, levels }: Needed,
): Found[] {
  const { state, record } = heldOn(records, on, any_of, levels);
  if (state === "valid") return [];
  const named = any_of.map((key) => school.names[key] ?? key).join(" or ");
  const name = levels === undefined || levels.length === 0 ? named : `${named} (${levels.join(" or ")})`;
  const health = any_of.includes("medical");
  const ended = record === null || health ? "" : ` on ${record.valid_until}`;
  const said = { missing: "Missing", expired: `Expired${ended}`, withdrawn: "Withdrawn" };
  const message = `${said[state]}: ${name}.`;
  return [found(message, `A record that is valid on ${toLegalDate(on)}: ${name}.`, { record, health })];
}
