/** The medical certificate that a person needs on board (MED.A.030). */

import { toLegalDate } from "../../../core/dates.ts";
import { onceForBoth } from "../../../core/once.ts";
import { type Holder, standingOn } from "../../compliance/records/held.ts";
import { licenceHeld } from "../../compliance/records/licence.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import { levelsWithin } from "../../compliance/rules/other-levels.ts";
import { medicalRule } from "../../compliance/rules/rules.ts";
import type { RuleKey } from "../../rules/clearance-rules.ts";
import { type Medical, medicalOf, soloMedical } from "../../training/solo-medical.ts";
import { type AnyClassCase, type Case, type Found, found, recordIssues } from "./found.ts";

/** For the others: any certificate, and of the licence that they hold, if they do. Other rules tell that there is no licence. */
const flyingMedical = onceForBoth((person: Holder, days: Case["days"]): Medical => {
  const licence = licenceHeld(person, days[0]) ?? null;
  const held = medicalOf(person, days);
  if (held.state !== "valid" || licence === null) return { ...held, licence, levels: [] };
  const isEnough = medicalOf(person, days, medicalRule.enough[licence]).state === "valid";
  return { ...held, state: isEnough ? "valid" : "not_enough", licence, levels: [] };
});

type MedicalRule = Extract<RuleKey, `medical_${string}` | "solo_medical">;

const rules = {
  valid: null,
  expired: "medical_expired",
  withdrawn: "medical_expired",
  missing: "medical_missing",
  not_enough: "medical_class",
} as const satisfies Record<Medical["state"], MedicalRule | null>;

/** Returns what is found under one of the rules: at most one of them finds something. */
export function medicalIssues(personCase: AnyClassCase, rule: MedicalRule): Found[] {
  const { person, days, use } = personCase;
  const isSolo = personCase.function === "solo";
  const medical = isSolo ? soloMedical(person, { days, ...use }) : flyingMedical(person, days);
  if (rule !== (isSolo && medical.state === "missing" ? "solo_medical" : rules[medical.state])) return [];
  const { licence, levels, record } = medical;
  const enough = licence === null ? [] : medicalRule.enough[licence];
  if (rule !== "medical_class")
    return recordIssues(personCase, person, { any_of: ["medical"], levels }).map(
      withUnknown(personCase, isSolo ? enough : []),
    );
  const message = `The medical certificate is not enough for a licence of level ${licence}.`;
  const lifted = `A valid medical certificate of ${enough.join(" or ")}.`;
  return [found(message, lifted, { record, health: true })].map(withUnknown(personCase, enough));
}

/** Says that a certificate may still count for a level that is enough, where that depends on an age that is not known. */
const withUnknown =
  ({ person, ends_on }: AnyClassCase, enough: readonly string[]) =>
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
