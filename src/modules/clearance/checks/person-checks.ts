/** The checks of the rules about a person in a function on board. */
import { classRatings, soloRule } from "../../compliance/rules/rules.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import type { RulesAbout } from "../../rules/clearance-rules.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { AircraftClass, SchoolFacts } from "../facts/facts.shapes.ts";
import { type Found, found, type PersonCase, recordIssues } from "./found.ts";
import { isLapl } from "./licence.ts";
import { medicalIssues } from "./medical.ts";
import { nightIssues } from "./night.ts";
import { recencyIssues } from "./recency.ts";

export const personChecks: Record<RulesAbout<"person">, (of: PersonCase) => Found[]> = {
  medical_expired: (of) => medicalIssues(of, "medical_expired"),
  medical_missing: (of) => medicalIssues(of, "medical_missing"),
  solo_medical: (of) => medicalIssues(of, "solo_medical"),
  medical_class: (of) => medicalIssues(of, "medical_class"),
  licence: (of) => recordsOf(of, "licence"),

  rating(of) {
    const rating = ratingFor(of.aircraft.class);
    return rating === undefined || isLapl(of) ? [] : recordsOf(of, rating);
  },

  night_rating: nightIssues,
  lapl_recency: (of) => recencyIssues(of, "lapl_recency"),
  instructor_certificate: (of) => recordsOf(of, "fi"),
  language_proficiency: (of) => recordsOf(of, "elp"),

  required_record: (of) =>
    of.school.requirements
      .filter(({ applies_to }) => applies_to === roleOf[of.function])
      .filter(({ any_of, levels }) => levels.length > 0 || !any_of.every((type) => ownRules.includes(type)))
      .flatMap((required) => recordIssues(of, of.person, required)),

  passenger_recency: (of) => recencyIssues(of, "passenger_recency"),
  night_passenger_recency: (of) => recencyIssues(of, "night_passenger_recency"),

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

  restricted_instructor({ person: { restricted_instructor, supervisor } }) {
    if (!restricted_instructor) return [];
    const under = supervisor === null ? "" : ` of ${supervisor}`;
    const message = `Instructs under the supervision${under}, and may authorize neither a first solo flight nor a first solo cross-country flight.`;
    return [found(message, "The restriction of the instructor certificate is removed.")];
  },
};

/** Types of records that have rules of their own. */
const ownRules = ["medical", "licence", "sep", "tmg", "mep", "fi", "elp"];

const recordsOf = (of: PersonCase, type: string): Found[] => recordIssues(of, of.person, { any_of: [type] });

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
