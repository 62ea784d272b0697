/** Evaluates the rules over facts. Pure: a flight, the gate of a request and a booking use the same functions. */
import type { Standing } from "../compliance/rules/experience.ts";
import type { Source } from "../compliance/rules/rule.ts";
import { type Action, type RuleKey, ruleKeys, ruleOf } from "../rules/clearance-rules.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { aircraftChecks } from "./checks/aircraft-checks.ts";
import { type Case, casesOf, type Found } from "./checks/found.ts";
import { payerChecks } from "./checks/payer-checks.ts";
import { anyClassChecks, personChecks } from "./checks/person-checks.ts";
import { isRecencyRule, type RecencyRule, standingOf } from "./checks/recency.ts";
import type { AircraftFacts, PayerFacts, PersonFacts, SchoolFacts, Use } from "./facts/facts.shapes.ts";

/** Why a flight is not clear. */
export interface Finding extends Found {
  rule: RuleKey;
  action: Exclude<Action, "off">;
  subject: "aircraft" | "person" | "payer";
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

/** Without a payer nothing is found. */
export const judgePayer = (facts: Facts & { payer: PayerFacts | null }): Finding[] =>
  facts.payer === null ? [] : judge(facts, { ...casesOf(facts), payer: facts.payer }, payerChecks, () => true);

/** What is found about a person in a function, for aircraft of any class. */
export type AnyClass = Map<RuleKey, Found[]>;

/**
 * @param person who has the function on board
 * @param known what was found for the same flight in another aircraft, which this adds to
 */
export const judgePerson = (
  facts: Facts,
  person: PersonFacts,
  onBoard: CrewMember["function"],
  known: AnyClass = new Map(),
): Finding[] => judge(facts, { ...casesOf(facts), person, function: onBoard }, personChecks, appliesTo(onBoard), known);

/** @param person the instructor who supervises a solo flight from the ground (FCL.020) */
export const judgeSupervisor = (facts: Facts, person: PersonFacts): Finding[] =>
  judge(
    facts,
    { ...casesOf(facts), person, function: "instructor" },
    personChecks,
    (key) => ruleOf(key).of_supervisors === true,
  );

const appliesTo = (onBoard: CrewMember["function"]) => (key: RuleKey) =>
  ruleOf(key).functions?.includes(onBoard) === true;

/** A rule about recent experience that a person meets. */
export interface MetRecency {
  rule: RecencyRule;
  /** The last day on which it is met without further flights. */
  until: Temporal.PlainDate;
  /** Missing on the day after. */
  missing: Standing<string>["missing"];
}

/** Returns the rules about recent experience that apply to the flight and are met. @param person who has the function on board */
export function metRecency(facts: Facts, person: PersonFacts, onBoard: CrewMember["function"]): MetRecency[] {
  const personCase = { ...casesOf(facts), person, function: onBoard };
  return rulesFor(facts, appliesTo(onBoard)).flatMap(({ rule }) => {
    if (!isRecencyRule(rule)) return [];
    const { until = null, missing = [] } = standingOf(personCase, rule) ?? {};
    return until === null ? [] : [{ rule, until, missing }];
  });
}

type Checks<C> = Partial<Record<RuleKey, (checked: C) => Found[]>>;

const judge = <C extends Omit<Case, "aircraft">>(
  facts: Facts,
  checked: C,
  checks: Checks<C>,
  applies: (key: RuleKey) => boolean,
  known?: AnyClass,
): Finding[] =>
  rulesFor(facts, applies).flatMap(({ rule, action }) => {
    const { about: subject, source } = ruleOf(rule);
    const all = known?.get(rule) ?? checks[rule]?.(checked) ?? [];
    if (Object.hasOwn(anyClassChecks, rule)) known?.set(rule, all);
    return all.map((found) => ({ rule, action, subject, source, ...found }));
  });

/** Returns the rules that are evaluated, with the school's actions. */
function rulesFor({ school, aircraft }: Facts, applies: (key: RuleKey) => boolean): Pick<Finding, "rule" | "action">[] {
  const isSimulator = aircraft.class === "FSTD";
  return ruleKeys.flatMap((rule) => {
    const { action: usual, in_simulators = false } = ruleOf(rule);
    const action = school.actions[rule] ?? usual;
    return action === "off" || !applies(rule) || (isSimulator && !in_simulators) ? [] : [{ rule, action }];
  });
}
