/**
 * What is found about a person for each kind of aircraft, as a matrix tells it. It is kept for the next matrix: of hundreds of people,
 * few have changed since. It is found anew when anything differs that it depends on, all of which is read each time and compared.
 */
import { LRUCache } from "lru-cache";
import { sha256 } from "../../../core/crypto.ts";
import type { CrewFunction } from "../../rules/crew.values.ts";
import { daysOf } from "../checks/found.ts";
import { dependsOnClass } from "../checks/person-checks.ts";
import type { AircraftClass, AircraftFacts, SchoolFacts, Use } from "../facts/facts.shapes.ts";
import { flownIn } from "../facts/flown.queries.ts";
import { decisionOf, judgingEach, type Told } from "../judge.ts";
import type { Candidate } from "./matrix-facts.queries.ts";

interface Judgement {
  /** The decisions for each kind, with spaces between. */
  decided: string;
  /** JSON. */
  reasons: string;
}

interface Kept extends Judgement, Pick<Candidate, "person" | "flown"> {
  payer: string;
}

/** Of all schools, some 16 MB at most: 4,000 people with nine records, for one function each. A record takes about 300 bytes. */
const kept = new LRUCache<string, Kept>({
  maxSize: 2 ** 24,
  sizeCalculation: ({ decided, reasons, person, flown = "" }) =>
    decided.length + reasons.length + flown.length + 300 * (1 + person.records.length),
});

interface Flight {
  school: SchoolFacts;
  use: Use;
  onBoard: CrewFunction;
}

/** Returns what judges people for the same flight in an aircraft of each kind, each person alone on board and as the one who pays. */
export function judgingFor(kinds: readonly AircraftFacts[], { school, use, onBoard }: Flight) {
  const judge = judgingEach(kinds, { school, use, onBoard });
  const read = flownIn(school.time_zone);
  const asked = sha256(JSON.stringify(dependingOn(kinds, { school, use, onBoard })));
  return ({ person, flown, payer: payerFacts }: Candidate): Judgement => {
    const name = `${asked} ${person.id}`;
    const payer = JSON.stringify(payerFacts);
    const before = kept.get(name);
    if (before?.person === person && before.flown === flown && before.payer === payer) return before;
    const found = judge({ person: { ...person, flown: read(flown) }, payer: payerFacts });
    const decided = found.map(decisionOf).join(" ");
    const judgement = { decided, reasons: reasonsOf(kinds, found), person, flown, payer };
    kept.set(name, judgement);
    return judgement;
  };
}

/** All that decides what is found about a person, but themselves: what `AnyClassCase` and `PersonCase` have. */
function dependingOn(kinds: readonly AircraftFacts[], { school, use, onBoard }: Flight): object {
  const { at, ends_at, adds, ...asked } = use;
  const { days } = daysOf(school, use);
  return { school, onBoard, asked, days, kinds: kinds.map(({ class: type, mtom_kg }) => [type, mtom_kg]) };
}

interface Reason {
  finding: Told;
  classes: AircraftClass[];
}

/**
 * Returns the JSON of each reason once, with the classes for which it counts: what was found for aircraft of any class is the same
 * finding of each, though two may read the same, of two requirements; the others are the same if they read the same.
 */
function reasonsOf(kinds: readonly Pick<AircraftFacts, "class">[], found: readonly (readonly Told[])[]): string {
  const reasons: Reason[] = [];
  for (const [at, { class: type }] of kinds.entries())
    for (const finding of found[at] ?? []) {
      const known = reasons.find((reason) => isSame(reason.finding, finding));
      if (known === undefined) reasons.push({ finding, classes: [type] });
      else if (!known.classes.includes(type)) known.classes.push(type);
    }
  return JSON.stringify(
    reasons.map(({ finding: { rule, action, message }, classes }) => ({ rule, action, message, classes })),
  );
}

const isSame = (one: Told, other: Told): boolean =>
  one === other || (one.rule === other.rule && dependsOnClass(one.rule) && one.message === other.message);
