/** The flights that count for the recent experience of a person, and what is missing. */
import { type Flown, missingOn, type Shortfall } from "../../compliance/rules/experience.ts";
import type { ExperienceRule } from "../../compliance/rules/rule.ts";
import { experienceRules } from "../../compliance/rules/rules.ts";
import type { CrewMember } from "../../flights/flight-rules.ts";
import type { AircraftClass } from "../facts/facts.shapes.ts";
import { type Found, found, type PersonCase } from "./found.ts";

/**
 * The functions of a person who flies the aircraft. An instructor is not among them: the student makes the landings of an
 * instruction flight.
 */
export const flyingFunctions = [
  "pic",
  "solo",
  "spic",
  "picus",
  "co_pilot",
  "dual",
] as const satisfies CrewMember["function"][];

/** The classes that are aeroplanes or touring motor gliders. */
const aeroplanes: readonly AircraftClass[] = ["SEP", "MEP", "TMG", "SET"];

/** With passengers: in the class of the aircraft. */
export function passengerIssues({ aircraft, person, on, use }: PersonCase, rule: PassengerRule): Found[] {
  if (use.passengers === 0) return [];
  const inClass = person.flown.filter((flight) => flight.class === aircraft.class);
  const flown = inClass.map(({ on: date, landings, night_landings }) => ({
    date,
    amounts: { landings, night_landings },
  }));
  const needs = { landings: 0, night_landings: 0, ...experienceRules[rule].needs };
  return issuesOf({ ...experienceRules[rule], needs }, flown, on, `in class ${aircraft.class}`);
}

type PassengerRule = "passengers" | "passengers_at_night";

/** A co-pilot flies neither as PIC nor under supervision. */
export function laplIssues({ person, on }: PersonCase): Found[] {
  const counted = person.flown.filter((flight) => aeroplanes.includes(flight.class) && flight.function !== "co_pilot");
  const flown = counted.map(({ on: date, function: f, minutes, landings }) => ({
    date,
    amounts: { landings, pic_or_supervised_minutes: minutes, instructor_minutes: f === "dual" ? minutes : 0 },
  }));
  return issuesOf(experienceRules.lapl_a, flown, on, "in aeroplanes or touring motor gliders, or a proficiency check");
}

type LaplNeed = keyof typeof experienceRules.lapl_a.needs;

function issuesOf<What extends Need>(
  rule: ExperienceRule<What>,
  flown: readonly Flown<What>[],
  on: Temporal.PlainDate,
  how: string,
): Found[] {
  const missing = missingOn(rule, flown, on);
  if (missing.length === 0) return [];
  const period = Temporal.Duration.from(rule.within);
  const within = period.days > 0 ? `${period.days} days` : `${period.months} months`;
  const lacks = missing.map(inWords).join(", ");
  return [
    found(`${rule.title}: missing in the ${within} before ${on}: ${lacks}.`, `Before the flight, ${how}: ${lacks}.`, {
      missing,
    }),
  ];
}

type Need = LaplNeed | "night_landings";

const inWords = ({ what, amount }: Shortfall<Need>): string => {
  const isTime = what.endsWith("_minutes");
  return isTime ? `${amount} ${words[what]}` : `${amount} ${words[what]}${amount === 1 ? "" : "s"}`;
};

const words: Record<Need, string> = {
  landings: "landing",
  night_landings: "landing at night",
  pic_or_supervised_minutes: "minutes as PIC or under supervision",
  instructor_minutes: "minutes with an instructor",
};
