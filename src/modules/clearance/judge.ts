/** Evaluates the rules over facts. Pure: a flight, the gate of a request and a booking use the same functions. */
import type { Source } from "../compliance/rules/rule.ts";
import type { CrewMember } from "../flights/flight-rules.ts";
import { aircraftChecks } from "./checks/aircraft-checks.ts";
import { type Case, casesOf, type Found, type PersonCase } from "./checks/found.ts";
import { personChecks } from "./checks/person-checks.ts";
import { type Action, type RuleKey, ruleKeys, ruleOf } from "./clearance-rules.ts";
import type { AircraftFacts, PersonFacts, SchoolFacts, Use } from "./facts/facts.shapes.ts";

/** Why a flight is not clear. */
export interface Finding extends Found {
  rule: RuleKey;
  action: Exclude<Action, "off">;
  subject: "aircraft" | "person";
  source: Source | null;
}

export type Decision = "clear" | "warn" | "block";

export function decisionOf(findings: readonly Pick<Finding, "action">[]): Decision {
  if (findings.some(({ action }) => action === "block")) return "block";
  return findings.length > 0 ? "warn" : "clear";
}

interface Facts {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  use: Use;
}

export const judgeAircraft = (facts: Facts): Finding[] => judge(facts, casesOf(facts), aircraftChecks, () => true);

/** @param person who has the function on board */
export const judgePerson = (facts: Facts, person: PersonFacts, onBoard: CrewMember["function"]): Finding[] =>
  judge(
    facts,
    { ...casesOf(facts), person, function: onBoard },
    personChecks,
    (key) => ruleOf(key).functions?.includes(onBoard) === true,
  );

type Checks<C> = Partial<Record<RuleKey, (of: C) => Found[]>>;

function judge<C extends Case | PersonCase>(
  { school, aircraft }: Facts,
  of: C,
  checks: Checks<C>,
  applies: (key: RuleKey) => boolean,
): Finding[] {
  const isSimulator = aircraft.class === "FSTD";
  return ruleKeys.flatMap((rule) => {
    const { about: subject, action: usual, source, in_simulators = false } = ruleOf(rule);
    const action = school.actions[rule] ?? usual;
    if (action === "off" || !applies(rule) || (isSimulator && !in_simulators)) return [];
    return (checks[rule]?.(of) ?? []).map((found) => ({ rule, action, subject, source, ...found }));
  });
}
