/** The flights that count for the recent experience of a person, and what is missing. */
import { toLegalDate } from "../../../core/dates.ts";
import { once, onceEach, onceFor, onceForBoth } from "../../../core/once.ts";
import { type Holder, heldOn, heldThrough } from "../../compliance/records/held.ts";
import {
  type Flown,
  laplMissing,
  laplStanding,
  missingOn,
  type Shortfall,
  type Standing,
  standing,
} from "../../compliance/rules/experience.ts";
import type { ExperienceRule } from "../../compliance/rules/rule.ts";
import { aeroplaneClasses, experienceRules } from "../../compliance/rules/rules.ts";
import type { RuleKey } from "../../rules/clearance-rules.ts";
import type { AircraftClass, FlownFlight, PersonFacts } from "../facts/facts.shapes.ts";
import { type Found, found, type PersonCase } from "./found.ts";
import { isLapl } from "./licence.ts";

const aeroplanes: readonly AircraftClass[] = aeroplaneClasses;

type LaplNeed = keyof typeof experienceRules.lapl_a.needs;

/** A rule about recent experience that applies to a person. */
interface Experience {
  /** What is found before the flight: until when the rule is met takes longer to tell, and a finding does not need it. */
  issues: () => readonly Found[];
  standing: () => Standing<Need>;
}

/** The rules about recent experience. Each returns nothing where it does not apply to the flight. */
const recency = {
  lapl_recency: (personCase: PersonCase) => (isLapl(personCase) ? laplExperience(personCase) : undefined),
  passenger_recency: (personCase: PersonCase) => passengerExperience(personCase, "passengers"),

  night_passenger_recency: (personCase: PersonCase) =>
    !personCase.use.night || heldThrough(personCase.person, { any_of: ["ir"] }, personCase.days).state === "valid"
      ? undefined
      : passengerExperience(personCase, "passengers_at_night"),
} satisfies Partial<Record<RuleKey, (personCase: PersonCase) => Experience | undefined>>;

export type RecencyRule = keyof typeof recency;
export const isRecencyRule = (key: RuleKey): key is RecencyRule => Object.hasOwn(recency, key);

/** Returns how the person stands under the rule; `undefined` if it does not apply to the flight. */
export const standingOf = (personCase: PersonCase, rule: RecencyRule): Standing<string> | undefined =>
  recency[rule](personCase)?.standing();

/** The landings of a person, by the class of the aircraft: two rules ask about each class. */
const landingsByClass = onceFor(({ flown }: Pick<PersonFacts, "flown">) =>
  Map.groupBy(
    flown.map(({ on: date, class: type, landings, night_landings }) => ({
      ...{ type, date },
      amounts: { landings, night_landings },
    })),
    ({ type }) => type,
  ),
);

const noNeeds = { landings: 0, night_landings: 0 };
const passengerRules = {
  passengers: { ...experienceRules.passengers, needs: { ...noNeeds, ...experienceRules.passengers.needs } },
  passengers_at_night: {
    ...experienceRules.passengers_at_night,
    needs: { ...noNeeds, ...experienceRules.passengers_at_night.needs },
  },
};

/** With passengers: in the class of the aircraft. */
function passengerExperience(
  { aircraft, person, on, use }: PersonCase,
  rule: keyof typeof passengerRules,
): Experience | undefined {
  if (use.passengers === 0) return undefined;
  const flown = landingsByClass(person).get(aircraft.class);
  if (flown === undefined) return withoutFlights(on)(rule)(aircraft.class);
  return passengersIn(aircraft.class, { rule, flown, on });
}

/** Of people who flew nothing in a class, the same is missing: in a matrix, that is half of what is found. */
const withoutFlights = onceFor((on: Temporal.PlainDate) =>
  onceEach((rule: keyof typeof passengerRules) =>
    onceEach((type: AircraftClass) => passengersIn(type, { rule, flown: [], on })),
  ),
);

interface Landed {
  rule: keyof typeof passengerRules;
  flown: readonly Flown<"landings" | "night_landings">[];
  on: Temporal.PlainDate;
}

function passengersIn(type: AircraftClass, { rule, flown, on }: Landed): Experience {
  const counted = passengerRules[rule];
  return {
    issues: once(() =>
      lackIn({ rule: experienceRules[rule], how: `in class ${type}`, on }, missingOn(counted, flown, on)),
    ),
    standing: () => standing(counted, flown, on),
  };
}

function laplExperience({ person, on }: PersonCase): Experience {
  const rule = experienceRules.lapl_a;
  const how = "in aeroplanes or touring motor gliders, or a proficiency check";
  return {
    issues: () => lackIn({ rule, how, on }, laplMissingOf(person, on)),
    standing: () => laplStandingOf(person, on),
  };
}

interface LaplHolder extends Holder {
  flown: readonly Pick<FlownFlight, "on" | "function" | "class" | "minutes" | "landings">[];
}

export const laplStandingOf = onceForBoth(
  (person: LaplHolder, on: Temporal.PlainDate): Standing<LaplNeed> =>
    laplStanding(laplFlights(person), { on, checked_until: checkedUntil(person, on) }),
);

const laplMissingOf = onceForBoth((person: LaplHolder, on: Temporal.PlainDate) =>
  laplMissing(laplFlights(person), { on, checked_until: checkedUntil(person, on) }),
);

/** An instructor is the PIC (FCL.010). A co-pilot flies neither as PIC nor under supervision. */
const laplFlights = ({ flown }: LaplHolder): Flown<LaplNeed>[] =>
  flown
    .filter((flight) => aeroplanes.includes(flight.class) && flight.function !== "co_pilot")
    .map(({ on: date, function: f, minutes, landings }) => ({
      date,
      amounts: { landings, pic_or_supervised_minutes: minutes, instructor_minutes: f === "dual" ? minutes : 0 },
    }));

/** Returns the last day on which the proficiency check counts: through its own expiry, if it has one. */
function checkedUntil(holder: Holder, on: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const { state, record } = heldOn(holder, { any_of: ["lapl_check"] }, on);
  if (state !== "valid") return undefined;
  const last = Temporal.PlainDate.from(record.issued_on).add(experienceRules.lapl_a.within);
  const { valid_until } = record;
  return valid_until !== null && valid_until < toLegalDate(last) ? Temporal.PlainDate.from(valid_until) : last;
}

/** Returns what is found if the rule applies and is not met. */
export const recencyIssues = (personCase: PersonCase, key: RecencyRule): readonly Found[] =>
  recency[key](personCase)?.issues() ?? [];

interface Counted {
  rule: ExperienceRule;
  /** The flights that count, in words. */
  how: string;
  on: Temporal.PlainDate;
}

function lackIn({ rule, how, on }: Counted, missing: Shortfall<Need>[]): readonly Found[] {
  if (missing.length === 0) return [];
  const lacks = missing.map(inWords).join(", ");
  return [found(`${missedIn(rule, on)}: ${lacks}.`, `Before the flight, ${how}: ${lacks}.`, { missing })];
}

const missedIn = onceForBoth(({ title, within }: ExperienceRule, on: Temporal.PlainDate): string => {
  const period = Temporal.Duration.from(within);
  return `${title}: missing in the ${period.days > 0 ? `${period.days} days` : `${period.months} months`} before ${on}`;
});

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
