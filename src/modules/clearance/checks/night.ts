/** Whether a person may fly at night (FCL.810). */
import { heldThrough } from "../../compliance/records/held.ts";
import { nightRule } from "../../compliance/rules/rules.ts";
import { isTrainedAtNight } from "../../training/trainings.ts";
import { type AnyClassCase, type Found, recordIssues } from "./found.ts";

const night = { any_of: ["night"] };
const included = { any_of: ["licence"], levels: nightRule.included_in };

/** A student of a training for it flies solo at night by the authorization of the instructor. */
export function nightIssues(personCase: AnyClassCase): readonly Found[] {
  const { person, days, on, use } = personCase;
  if (!use.night) return [];
  if (personCase.function === "solo" && isTrainedAtNight(person, { on, enrollment_id: use.enrollment_id })) return [];
  if (heldThrough(person, included, days).state === "valid") return [];
  return recordIssues(personCase, person, night);
}
