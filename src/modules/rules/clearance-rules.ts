/**
 * The rules of the clearance, as a chief instructor reads them: what each is about, for which functions on board, and what
 * happens if it is not met. A school may change the action. `checks/` has how each is evaluated.
 */
import type { Source } from "../compliance/rules/rule.ts";
import { experienceRules, laplLimits, medicalRule, nightRule, soloRule, sourceOf } from "../compliance/rules/rules.ts";
import type { CrewMember } from "./crew.values.ts";

/** `block`: the flight may not be made. `warn`: it may, and those who decide are told. `off`: not evaluated. */
export const actions = ["block", "warn", "off"] as const;
export type Action = (typeof actions)[number];

interface Rule {
  title: string;
  about: "aircraft" | "person" | "payer";
  action: Action;
  /** The functions on board for which it is evaluated. */
  functions?: readonly CrewMember["function"][];
  /** Also for the instructor who supervises a solo flight from the ground. */
  of_supervisors?: true;
  /** It depends on what is entered for one flight or booking, so nothing is known of it for people and aircraft in general. */
  of_one_flight?: true;
  /** Also for sessions in a simulator. */
  in_simulators?: true;
  /** Null: a rule of the school. */
  source: Source | null;
}

const licensed = ["pic", "picus", "co_pilot", "instructor"] as const;
const flying = [...licensed, "solo", "spic"] as const;
const commanding = ["pic", "instructor"] as const;

export const ruleCatalog = {
  aircraft_grounded: {
    title: "The aircraft is not grounded",
    about: "aircraft",
    action: "block",
    in_simulators: true,
    source: null,
  },
  maintenance_due: {
    title: "No maintenance is overdue or falls due during the flight",
    about: "aircraft",
    action: "warn",
    source: sourceOf("ML.A.301, ML.A.302", "(EU) 2019/1383"),
  },
  aircraft_record: {
    title: "The aircraft has the documents that the school requires",
    about: "aircraft",
    action: "warn",
    in_simulators: true,
    source: null,
  },
  medical_expired: {
    title: "The medical certificate has not expired, and was not withdrawn",
    about: "person",
    action: "block",
    functions: flying,
    source: medicalRule.source,
  },
  medical_missing: {
    title: "There is a medical certificate",
    about: "person",
    action: "warn",
    functions: [...licensed, "spic"],
    source: medicalRule.source,
  },
  solo_medical: {
    title: "A student who flies solo has a medical certificate",
    about: "person",
    action: "block",
    functions: ["solo"],
    source: medicalRule.source,
  },
  medical_class: {
    title: "The medical certificate is of the class that the licence needs, or that a student's training aims at",
    about: "person",
    action: "warn",
    functions: [...licensed, "solo"],
    source: medicalRule.source,
  },
  licence: {
    title: "There is a valid pilot licence",
    about: "person",
    action: "warn",
    functions: licensed,
    source: sourceOf("FCL.015, FCL.045", "(EU) 1178/2011"),
  },
  rating: {
    title: "There is a valid rating for the class of the aircraft",
    about: "person",
    action: "warn",
    functions: licensed,
    source: sourceOf("FCL.700", "(EU) 1178/2011"),
  },
  night_rating: {
    title: "There is a night rating to fly at night",
    about: "person",
    action: "warn",
    functions: [...commanding, "solo"],
    source: nightRule.source,
  },
  lapl_limits: {
    title: "The holder of an LAPL flies what the licence allows, with as many passengers as it allows",
    about: "person",
    action: "warn",
    functions: ["pic", "picus"],
    source: laplLimits.source,
  },
  lapl_passengers: {
    title: "The holder of an LAPL has flown enough as PIC since its issue to carry passengers",
    about: "person",
    action: "warn",
    functions: ["pic", "picus"],
    source: laplLimits.source,
  },
  lapl_recency: {
    title: "The holder of an LAPL has the recent experience",
    about: "person",
    action: "warn",
    functions: licensed,
    source: experienceRules.lapl_a.source,
  },
  instructor_certificate: {
    title: "The instructor has a valid certificate",
    about: "person",
    action: "warn",
    functions: ["instructor"],
    of_supervisors: true,
    in_simulators: true,
    source: sourceOf("FCL.900", "(EU) 1178/2011"),
  },
  language_proficiency: {
    title: "There is a valid language proficiency",
    about: "person",
    action: "warn",
    functions: licensed,
    source: sourceOf("FCL.055", "(EU) 1178/2011"),
  },
  required_record: {
    title: "There is each other record that the school requires",
    about: "person",
    action: "warn",
    functions: [...flying, "dual"],
    source: null,
  },
  passenger_recency: {
    title: "Recent experience to carry passengers",
    about: "person",
    action: "warn",
    functions: commanding,
    source: experienceRules.passengers.source,
  },
  night_passenger_recency: {
    title: "Recent experience to carry passengers at night",
    about: "person",
    action: "warn",
    functions: commanding,
    source: experienceRules.passengers_at_night.source,
  },
  solo_age: {
    title: `A student who flies solo is at least ${soloRule.minimum_age}`,
    about: "person",
    action: "warn",
    functions: ["solo"],
    source: soloRule.source,
  },
  solo_supervision: {
    title: "A student without a licence who flies solo is authorized and supervised by an instructor",
    about: "person",
    action: "warn",
    functions: ["solo"],
    of_one_flight: true,
    source: soloRule.supervision,
  },
  restricted_instructor: {
    title: "A restricted instructor is supervised",
    about: "person",
    action: "warn",
    functions: ["instructor"],
    of_supervisors: true,
    source: sourceOf("FCL.910.FI", "(EU) 1178/2011"),
  },
  balance_below_limit: {
    title: "The account of the person who pays is not below the school's limit",
    about: "payer",
    action: "off",
    in_simulators: true,
    source: null,
  },
} as const satisfies Record<string, Rule>;

export type RuleKey = keyof typeof ruleCatalog;
export const ruleKeys = Object.keys(ruleCatalog) as [RuleKey, ...RuleKey[]];
export const isRuleKey = (key: string): key is RuleKey => Object.hasOwn(ruleCatalog, key);

/** The rules about an aircraft, a person on board, or the person who pays. */
export type RulesAbout<About> = {
  [K in RuleKey]: (typeof ruleCatalog)[K]["about"] extends About ? K : never;
}[RuleKey];

/** Returns the rule without the limits of its literal type. */
export const ruleOf = (key: RuleKey): Rule => ruleCatalog[key];
