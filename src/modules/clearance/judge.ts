/** Evaluates the rules over facts. Pure: a flight, the gate of a request and a booking use the same functions. */
import type { Standing } from "../compliance/rules/experience.ts";
import type { Source } from "../compliance/rules/rule.ts";
import { type Action, type RuleKey, ruleKeys, ruleOf } from "../rules/clearance-rules.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { aircraftChecks } from "./checks/aircraft-checks.ts";
import { casesOf, type Found } from "./checks/found.ts";
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

/** What a matrix tells of a finding. */
export type Told = Pick<Finding, "rule" | "action" | "message">;

/**
 * Returns what judges people one after the other, each alone on board and as the one who pays, for the same flight in several aircraft:
 * what is found about them for any class of aircraft is found once, and is the same object for each. Without the rules that depend on
 * what is entered for one flight.
 *
 * @returns a function that returns what is found for each aircraft, in their order
 */
export function judgingEach(
  aircraft: readonly AircraftFacts[],
  { onBoard, ...flight }: Omit<Facts, "aircraft"> & { onBoard: CrewMember["function"] },
) {
  const flights = aircraft.map((one): Facts => ({ ...flight, aircraft: one }));
  const isOfAny = (key: RuleKey) => ruleOf(key).of_one_flight !== true;
  const cases = flights.map(casesOf);
  const ofPerson = rulesForEach(flights, personChecks, (key) => isOfAny(key) && appliesTo(onBoard)(key));
  const ofPayer = rulesForEach(flights, payerChecks, isOfAny);
  return ({ person, payer }: { person: PersonFacts; payer: PayerFacts | null }): Told[][] => {
    const found = flights.map((): Told[] => []);
    const personCases = cases.map((one) => ({ ...one, person, function: onBoard }));
    judgeEach(personCases, ofPerson, found);
    if (payer !== null) {
      const payerCases = cases.map((one) => ({ ...one, payer }));
      judgeEach(payerCases, ofPayer, found);
    }
    return found;
  };
}

/** A rule that is evaluated for some of the flights: once for each group of those, by their places, for which it finds the same. */
interface OfSome<C> {
  evaluated: Evaluated<C>;
  groups: readonly (readonly [number, ...number[]])[];
}

function rulesForEach<C>(
  flights: readonly Facts[],
  checks: Checks<C>,
  applies: (key: RuleKey) => boolean,
): OfSome<C>[] {
  const evaluated = flights.flatMap((facts, place) => rulesFor(facts, checks, applies).map((one) => ({ one, place })));
  return ruleKeys.flatMap((key): OfSome<C>[] => {
    const [first, ...others] = evaluated.filter(({ one }) => one.rule === key);
    if (first === undefined) return [];
    const places = [first.place, ...others.map(({ place }) => place)] as const;
    return [{ evaluated: first.one, groups: dependsOnClass(key) ? places.map((place) => [place]) : [places] }];
  });
}

/** Adds what is found in each case. In loops: of thousands of evaluations, most find nothing, and make no garbage. */
function judgeEach<C>(cases: readonly C[], rules: readonly OfSome<C>[], told: readonly Told[][]): void {
  for (const { evaluated, groups } of rules)
    for (const places of groups) {
      const one = cases[places[0]];
      if (one === undefined) continue;
      const { rule, action, check } = evaluated;
      for (const { message } of check(one)) {
        const reason = { rule, action, message };
        for (const place of places) told[place]?.push(reason);
      }
    }
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

type Checks<C> = Partial<Record<RuleKey, (checked: C) => readonly Found[]>>;

/** A rule that is evaluated, with the school's action. */
interface Evaluated<C> extends Pick<Finding, "rule" | "action" | "subject" | "source"> {
  check: (checked: C) => readonly Found[];
}

const judge = <C>(checked: C, rules: readonly Evaluated<C>[]): Finding[] =>
  rules.flatMap(({ check, rule, action, subject, source }) =>
    check(checked).map((found): Finding => ({ rule, action, subject, source, ...found })),
  );

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
    return [{ rule, action, subject, source, check }];
  });
}
