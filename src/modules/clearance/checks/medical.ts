/** The medical certificate that a person needs on board (MED.A.030). */

import { toLegalDate } from "../../../core/dates.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import { type Held, type Holder, heldThrough, standingOn } from "../../compliance/records/held.ts";
import { licenceHeld } from "../../compliance/records/licence.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import { levelsWithin } from "../../compliance/rules/other-levels.ts";
import { type Licence, medicalRule } from "../../compliance/rules/rules.ts";
import type { RuleKey } from "../clearance-rules.ts";
import type { PersonFacts } from "../facts/facts.shapes.ts";
import { type Case, type Found, found, type PersonCase, recordIssues } from "./found.ts";
import { licenceAimedAt } from "./trainings.ts";

interface Medical {
  /** `not_enough`: a certificate is valid, but of none of the levels. */
  state: Held["state"] | "not_enough";
  record: HeldRecord | null;
  /** That decides; null: any certificate is enough. */
  licence: Licence | null;
  /** The levels that are looked for. Empty: any. */
  levels: readonly string[];
}

type Student = Pick<PersonFacts, "trainings"> & Holder;

/** For a student who flies solo: of the licence that the training aims at. One of its classes that was held and ended is told first. */
export function soloMedical(
  student: Student,
  { days, enrollment_id }: Pick<Case, "days"> & { enrollment_id: EnrollmentId | null },
): Medical {
  const licence = licenceAimedAt(student, { on: days[0], enrollment_id });
  const levels = medicalRule.enough[licence];
  const held = medicalOf(student, days, levels);
  if (held.state !== "missing") return { ...held, licence, levels };
  const other = medicalOf(student, days);
  return { ...other, state: other.state === "valid" ? "not_enough" : other.state, licence, levels: [] };
}

/** For the others: any certificate, and of the licence that they hold, if they do. Other rules tell that there is no licence. */
function flyingMedical(person: Holder, days: Case["days"]): Medical {
  const licence = licenceHeld(person, days[0]) ?? null;
  const held = medicalOf(person, days);
  if (held.state !== "valid" || licence === null) return { ...held, licence, levels: [] };
  const isEnough = medicalOf(person, days, medicalRule.enough[licence]).state === "valid";
  return { ...held, state: isEnough ? "valid" : "not_enough", licence, levels: [] };
}

const medicalOf = (holder: Holder, days: Case["days"], levels: readonly string[] = []) =>
  heldThrough(holder, { any_of: ["medical"], levels }, days);

type MedicalRule = Extract<RuleKey, `medical_${string}` | "solo_medical">;

const rules = {
  valid: null,
  expired: "medical_expired",
  withdrawn: "medical_expired",
  missing: "medical_missing",
  not_enough: "medical_class",
} as const satisfies Record<Medical["state"], MedicalRule | null>;

/** Returns what is found under one of the rules: at most one of them finds something. */
export function medicalIssues(of: PersonCase, rule: MedicalRule): Found[] {
  const { person, days, use } = of;
  const isSolo = of.function === "solo";
  const medical = isSolo ? soloMedical(person, { days, ...use }) : flyingMedical(person, days);
  if (rule !== (isSolo && medical.state === "missing" ? "solo_medical" : rules[medical.state])) return [];
  const { licence, levels, record } = medical;
  const enough = licence === null ? [] : medicalRule.enough[licence];
  if (rule !== "medical_class")
    return recordIssues(of, person, { any_of: ["medical"], levels }).map(withUnknown(of, isSolo ? enough : []));
  const message = `The medical certificate is not enough for a licence of level ${licence}.`;
  const lifted = `A valid medical certificate of ${enough.join(" or ")}.`;
  return [found(message, lifted, { record, health: true })].map(withUnknown(of, enough));
}

/** Says that a certificate may still count for a level that is enough, where that depends on an age that is not known. */
const withUnknown =
  ({ person, ends_on }: PersonCase, enough: readonly string[]) =>
  (one: Found): Found => {
    const mayCover = ({ type, level, valid_until, other_levels }: HeldRecord) =>
      type === "medical" &&
      (valid_until ?? "9999") < toLegalDate(ends_on) &&
      levelsWithin(type, level)
        .filter((below) => enough.length === 0 || enough.includes(below))
        .some((below) => !other_levels.some((other) => other.level === below));
    if (person.date_of_birth !== null || !standingOn(person.records, toLegalDate(ends_on)).some(mayCover)) return one;
    const message = `${one.message} Whether it still counts for a lower class is not known without the date of birth.`;
    return { ...one, message, lifted_by: `${one.lifted_by} Or the date of birth is entered.` };
  };
