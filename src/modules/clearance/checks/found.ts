/** What the checks take and return. */
import { dateIn, toLegalDate } from "../../../core/dates.ts";
import { type Holder, heldThrough, type Needed } from "../../compliance/records/held.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import type { Shortfall } from "../../compliance/rules/experience.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { AircraftFacts, PersonFacts, SchoolFacts, Use } from "../facts/facts.shapes.ts";

export interface Case {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  use: Use;
  /** The days on which the flight begins and ends, where the organization is. What ends at midnight does not reach the next. */
  on: Temporal.PlainDate;
  ends_on: Temporal.PlainDate;
  /** All its days. */
  days: readonly [Temporal.PlainDate, ...Temporal.PlainDate[]];
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

export function casesOf({ school, aircraft, use }: Pick<Case, "school" | "aircraft" | "use">): Case {
  const on = dateIn(school.time_zone, new Date(use.at));
  const ends_on = dateIn(school.time_zone, new Date(Date.parse(use.ends_at) - 1));
  const length = on.until(ends_on, { largestUnit: "days" }).days;
  const after = Array.from({ length }, (_, index) => on.add({ days: index + 1 }));
  return { school, aircraft, use, on, ends_on, days: [on, ...after] };
}

export const found = (
  message: string,
  lifted_by: string,
  { record = null, missing = [], health = false }: Partial<Found> = {},
): Found => ({ message, lifted_by, record, missing, health });

/** Returns what is found if none of the types has a record that is valid on each day of the flight. */
export function recordIssues({ school, days }: Case, holder: Holder, needed: Needed): Found[] {
  const { any_of, levels = [] } = needed;
  const { state, record, on } = heldThrough(holder, needed, days);
  if (state === "valid") return [];
  const named = any_of.map((key) => school.names[key] ?? key).join(" or ");
  const name = levels.length === 0 ? named : `${named} (${levels.join(" or ")})`;
  const health = any_of.includes("medical");
  const ended = record === null || health ? "" : ` on ${record.valid_until}`;
  const expired = on === days[0] ? `Expired${ended}` : `Expires${ended && `${ended},`} before the end of the flight`;
  const said = { missing: "Missing", expired, withdrawn: "Withdrawn" };
  return [
    found(`${said[state]}: ${name}.`, `A record that is valid on ${toLegalDate(on)}: ${name}.`, { record, health }),
  ];
}
