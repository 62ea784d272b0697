/** Evaluates the rules over facts. Pure: a flight, the gate of a request and a booking use the same functions. */
import type { Standing } from "../compliance/rules/experience.ts";
import type { Source } from "../compliance/rules/rule.ts";
import { type Action, type RuleKey, ruleKeys, ruleOf } from "../rules/clearance-rules.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { aircraftChecks } from "./checks/aircraft-checks.ts";
import { type Case, casesOf, type Found } from "./checks/found.ts";
import { payerChecks } from "./checks/payer-checks.ts";
import { dependsOnClass, personChecks } from "./checks/person-checks.ts";
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

const nothing: readonly Finding[] = [];

interface Facts {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  use: Use;
}

export const judgeAircraft = (facts: Facts): Finding[] => judge(casesOf(facts), rulesFor(facts, aircraftChecks));

/** Without a payer nothing is found. */
export const judgePayer = (facts: Facts & { payer: PayerFacts | null }): Finding[] =>
  facts.payer === null ? [] : judge({ ...casesOf(facts), payer: facts.payer }, rulesFor(facts, payerChecks));

/** @param person who has the function on board */
export const judgePerson = (facts: Facts, person: PersonFacts, onBoard: CrewMember["function"]): Finding[] =>
  judge({ ...casesOf(facts), person, function: onBoard }, rulesFor(facts, personChecks, appliesTo(onBoard)));

/** @param person the instructor who supervises a solo flight from the ground (FCL.020) */
export const judgeSupervisor = (facts: Facts, person: PersonFacts): Finding[] =>
  judge(
    { ...casesOf(facts), person, function: "instructor" },
    rulesFor(facts, personChecks, (key) => ruleOf(key).of_supervisors === true),
  );

/** What is found about a person for aircraft of any class. */
type AnyClass = Map<RuleKey, readonly Finding[]>;

/**
 * Returns what judges people one after the other, each alone on board and as the one who pays, for the same flight in several aircraft:
 * what is found about them for any class of aircraft is found once, and is the same object for each. Without the rules that depend on
 * what is entered for one flight.
 *
 * @returns a function that returns the findings for each aircraft, in their order
 */
export function judgingEach(flights: readonly Facts[], onBoard: CrewMember["function"]) {
  const isOfAny = (key: RuleKey) => ruleOf(key).of_one_flight !== true;
  const each = flights.map((facts) => ({
    cases: casesOf(facts),
    ofPerson: rulesFor(facts, personChecks, (key) => isOfAny(key) && appliesTo(onBoard)(key)),
    ofPayer: rulesFor(facts, payerChecks, isOfAny),
  }));
  return ({ person, payer }: { person: PersonFacts; payer: PayerFacts | null }): Finding[][] => {
    const known: AnyClass = new Map();
    return each.map(({ cases, ofPerson, ofPayer }) => {
      const findings = judge({ ...cases, person, function: onBoard }, ofPerson, known);
      return payer === null ? findings : [...findings, ...judge({ ...cases, payer }, ofPayer, known)];
    });
  };
}

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
  return rulesFor(facts, personChecks, appliesTo(onBoard)).flatMap(({ rule }) => {
    if (!isRecencyRule(rule)) return [];
    const { until = null, missing = [] } = standingOf(personCase, rule) ?? {};
    return until === null ? [] : [{ rule, until, missing }];
  });
}

type Checks<C> = Partial<Record<RuleKey, (checked: C) => Found[]>>;

/** A rule that is evaluated, with the school's action. */
interface Evaluated<C> extends Pick<Finding, "rule" | "action" | "subject" | "source"> {
  check: (checked: C) => Found[];
  /** Whether it may find something in one aircraft and not in another. */
  ofClass: boolean;
}

/** In loops: of thousands of evaluations, most find nothing. */
function judge<C extends Omit<Case, "aircraft">>(
  checked: C,
  rules: readonly Evaluated<C>[],
  known?: AnyClass,
): Finding[] {
  const all: Finding[] = [];
  for (const evaluated of rules) {
    const { rule, ofClass } = evaluated;
    const before = ofClass ? undefined : known?.get(rule);
    const findings = before ?? findingsUnder(evaluated, checked);
    if (!ofClass && before === undefined) known?.set(rule, findings);
    for (const finding of findings) all.push(finding);
  }
  return all;
}

function findingsUnder<C>(
  { check, rule, action, subject, source }: Evaluated<C>,
  checked: C,
): readonly Finding[] {
  const found = check(checked);
  return found.length === 0 ? nothing : found.map((one) => ({ rule, action, subject, source, ...one }));
}

function rulesFor<C>(
  { school, aircraft }: Facts,
  checks: Checks<C>,
  applies: (key: RuleKey) => boolean = () => true,
): Evaluated<C>[] {
  const isSimulator = aircraft.class === "FSTD";
  return ruleKeys.flatMap((rule) => {
    const { action: usual, about: subject, source, in_simulators = false } = ruleOf(rule);
    const check = checks[rule];
    const action = school.actions[rule] ?? usual;
    if (check === undefined || action === "off" || !applies(rule) || (isSimulator && !in_simulators)) return [];
    return [{ rule, action, subject, source, check, ofClass: dependsOnClass(rule) }];
  });
}
