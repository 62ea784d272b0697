import type { StudentProgress } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { trainingText } from "./words.ts";

/** Names what a training lacks: a minimum, exercises or exams. */
export function missingName(what: StudentProgress["missing"][number]): string {
  if (what === "items" || what === "theory" || what === "skill_test") return trainingText().missingKinds[what];
  return text().person.minima[what];
}
