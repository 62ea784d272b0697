/** What the checks take and return. */
import { dateIn, toLegalDate } from "../../../core/dates.ts";
import { onceFor, onceForBoth } from "../../../core/once.ts";
import { type Held, type Holder, heldThrough, type Needed } from "../../compliance/records/held.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import type { Shortfall } from "../../compliance/rules/experience.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { AircraftFacts, PersonFacts, SchoolFacts, Use, UseByPeople } from "../facts/facts.shapes.ts";

export interface Case extends Days {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  use: Use;
}

export interface Days {
  /** The days on which the flight begins and ends, where the organization is. What ends at midnight does not reach the next. */
  on: Temporal.PlainDate;
  ends_on: Temporal.PlainDate;
  /** All its days. */
  days: readonly [Temporal.PlainDate, ...Temporal.PlainDate[]];
}

/** A person in a function, whatever the aircraft is. */
export interface AnyClassCase extends Omit<Case, "aircraft" | "use"> {
  use: UseByPeople;
  person: PersonFacts;
  function: CrewMember["function"];
}

/** Of the aircraft, only its class and its mass: what is found about a person is found for all aircraft alike in these (`../matrix`). */
export interface PersonCase extends AnyClassCase {
  aircraft: Pick<AircraftFacts, "class" | "mtom_kg">;
}

export interface RecordNeeded {
  any_of: readonly string[];
  levels: readonly string[];
  state: Exclude<Held["state"], "valid">;
}

/** A rule that is not met. */
export interface Found {
  message: string;
  /** What would put it right. */
  lifted_by: string;
  /** The record that counts, if there is one. */
  record: HeldRecord | null;
  /** Of a rule about records: which would do, and what is the matter with the one that counts. */
  needed: RecordNeeded | null;
  /** Flight experience that is missing. */
  missing: Shortfall<string>[];
  /** About a medical certificate. The message names no date. */
  health: boolean;
}

export const casesOf = ({ school, aircraft, use }: Pick<Case, "school" | "aircraft" | "use">): Case => ({
  ...{ school, aircraft, use },
  ...daysOf(school, use),
});

export const daysOf = onceForBoth((school: SchoolFacts, use: Use): Days => {
  const on = dateIn(school.time_zone, new Date(use.at));
  const ends_on = dateIn(school.time_zone, new Date(Date.parse(use.ends_at) - 1));
  const length = on.until(ends_on, { largestUnit: "days" }).days;
  const after = Array.from({ length }, (_, index) => on.add({ days: index + 1 }));
  return { on, ends_on, days: [on, ...after] };
});

export const found = (
  message: string,
  lifted_by: string,
  { record = null, needed = null, missing = [], health = false }: Partial<Found> = {},
): Found => ({ message, lifted_by, record, needed, missing, health });

/** Returns what is found if none of the types has a record that is valid on each day of the flight. */
export function recordIssues(flight: Pick<Case, "school" | "days">, holder: Holder, needed: Needed): readonly Found[] {
  const { state, record, on } = heldThrough(holder, needed, flight.days);
  if (state === "valid") return none;
  if (state === "missing" && on === flight.days[0]) return missingOn(flight.school)(needed, flight.days);
  return [recordIssue(flight, needed, { state, record, on })];
}

const none: readonly Found[] = [];

/** What is missing on the first day reads the same of everybody: in a matrix, that is most of what is found. */
const missingOn = onceFor((school: SchoolFacts) =>
  onceForBoth((needed: Needed, days: Case["days"]): readonly Found[] => [
    recordIssue({ school, days }, needed, { state: "missing", record: null, on: days[0] }),
  ]),
);

interface NotHeld {
  state: RecordNeeded["state"];
  record: HeldRecord | null;
  on: Temporal.PlainDate;
}

function recordIssue(
  { school, days }: Pick<Case, "school" | "days">,
  { any_of, levels = [] }: Needed,
  { state, record, on }: NotHeld,
): Found {
  const named = any_of.map((key) => school.names[key] ?? key).join(" or ");
  const name = levels.length === 0 ? named : `${named} (${levels.join(" or ")})`;
  const health = any_of.includes("medical");
  const ended = record === null || health ? "" : ` on ${record.valid_until}`;
  const expired = on === days[0] ? `Expired${ended}` : `Expires${ended && `${ended},`} before the end of the flight`;
  const said = { missing: "Missing", expired, withdrawn: "Withdrawn" };
  const lifted_by = `A record that is valid on ${toLegalDate(on)}: ${name}.`;
  return found(`${said[state]}: ${name}.`, lifted_by, { record, needed: { any_of, levels, state }, health });
}
