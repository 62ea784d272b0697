/** The checks of the rules about a person in a function on board. */
import { onceEach } from "../../../core/once.ts";
import { classRatings, soloRule } from "../../compliance/rules/rules.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import type { RuleKey, RulesAbout } from "../../rules/clearance-rules.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { AircraftClass, SchoolFacts } from "../facts/facts.shapes.ts";
import { type AnyClassCase, type Found, found, type PersonCase, recordIssues } from "./found.ts";
import { limitIssues, passengerIssues } from "./lapl.ts";
import { isLapl, licenceOf } from "./licence.ts";
import { medicalIssues } from "./medical.ts";
import { nightIssues } from "./night.ts";
import { recencyIssues } from "./recency.ts";

type ClassRule = "rating" | "lapl_limits" | "lapl_recency" | "passenger_recency" | "night_passenger_recency";

/** Those that depend on the class of the aircraft, or on its mass. */
const classChecks: Record<ClassRule, (personCase: PersonCase) => readonly Found[]> = {
  rating(personCase) {
    const rating = ratingFor(personCase.aircraft.class);
    return rating === undefined || isLapl(personCase) ? [] : recordsOf(personCase, rating);
  },

  lapl_limits: limitIssues,
  lapl_recency: (personCase) => recencyIssues(personCase, "lapl_recency"),
  passenger_recency: (personCase) => recencyIssues(personCase, "passenger_recency"),
  night_passenger_recency: (personCase) => recencyIssues(personCase, "night_passenger_recency"),
};

/** The others: for many aircraft, they are made once. */
const anyClassChecks: Record<
  Exclude<RulesAbout<"person">, ClassRule>,
  (personCase: AnyClassCase) => readonly Found[]
> = {
  medical_expired: (personCase) => medicalIssues(personCase, "medical_expired"),
  medical_missing: (personCase) => medicalIssues(personCase, "medical_missing"),
  solo_medical: (personCase) => medicalIssues(personCase, "solo_medical"),
  medical_class: (personCase) => medicalIssues(personCase, "medical_class"),
  licence: (personCase) => recordsOf(personCase, "licence"),

  night_rating: nightIssues,
  lapl_passengers: passengerIssues,
  instructor_certificate: (personCase) => recordsOf(personCase, "fi"),
  language_proficiency: (personCase) => recordsOf(personCase, "elp"),

  required_record: (personCase) =>
    personCase.school.requirements
      .filter(({ applies_to }) => applies_to === roleOf[personCase.function])
      .filter(({ any_of, levels }) => levels.length > 0 || !any_of.every((type) => ownRules.includes(type)))
      .flatMap((required) => recordIssues(personCase, personCase.person, required)),

  solo_age({ person: { date_of_birth: birth }, on }) {
    const { minimum_age: age } = soloRule;
    if (birth === null)
      return [
        found(
          `A student who flies solo must be ${age}, and the date of birth is not known.`,
          "The date of birth is entered.",
        ),
      ];
    if (hasReached(age, Temporal.PlainDate.from(birth), on)) return [];
    return [found(`A student who flies solo must be ${age}.`, `The student is ${age} on the day of the flight.`)];
  },

  solo_supervision: (personCase) =>
    personCase.use.supervisor_id !== null || licenceOf(personCase) !== undefined
      ? []
      : [
          found(
            "A student without a licence flies solo only if an instructor authorizes and supervises the flight.",
            "The instructor who authorizes and supervises the flight is named.",
          ),
        ],

  restricted_instructor({ person: { restricted_instructor, supervisor } }) {
    if (!restricted_instructor) return [];
    const under = supervisor === null ? "" : ` of ${supervisor}`;
    const message = `Instructs under the supervision${under}, and may authorize neither a first solo flight nor a first solo cross-country flight.`;
    return [found(message, "The restriction of the instructor certificate is removed.")];
  },
};

export const personChecks: Record<RulesAbout<"person">, (personCase: PersonCase) => readonly Found[]> = {
  ...anyClassChecks,
  ...classChecks,
};

/** Whether a rule about a person may find something in one aircraft and not in another. */
export const dependsOnClass = (rule: RuleKey): boolean => Object.hasOwn(classChecks, rule);

/** Types of records that have rules of their own. */
const ownRules = ["medical", "licence", "sep", "tmg", "mep", "fi", "elp"];

const recordsOf = (personCase: AnyClassCase, type: string): readonly Found[] =>
  recordIssues(personCase, personCase.person, oneOf(type));

/** The same object each time, by which `recordIssues` knows what it has found before. */
const oneOf = onceEach((type: string) => ({ any_of: [type] }));

/** The types of person whose requirements apply. */
const roleOf = {
  pic: "pilot",
  picus: "pilot",
  co_pilot: "pilot",
  instructor: "instructor",
  solo: "student",
  spic: "student",
  dual: "student",
} as const satisfies Record<CrewMember["function"], SchoolFacts["requirements"][number]["applies_to"]>;

function ratingFor(type: AircraftClass): string | undefined {
  const ratings: Partial<Record<AircraftClass, string>> = classRatings;
  return ratings[type];
}
