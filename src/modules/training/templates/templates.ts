/** Built-in syllabi, from which a school makes its own programs. The figures are those of `compliance/rules/rules.ts`. */
import type { TrainingRule } from "../../compliance/rules/rule.ts";
import { aeroplaneClasses, theoryRule, trainingRules } from "../../compliance/rules/rules.ts";
import { minimaOf } from "../../compliance/rules/training-minima.ts";
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Syllabus } from "../revisions/syllabus.schemas.ts";
import { exercises } from "./exercises.ts";
import {
  aerobaticRating,
  criCertificate,
  examinerCourse,
  nightRating,
  pplFromLapl,
  tmgClass,
  towingRating,
} from "./ratings.ts";
import { scales } from "./scales.ts";

const subjects = [
  { code: "air_law", name: "Air law" },
  { code: "human_performance", name: "Human performance" },
  { code: "meteorology", name: "Meteorology" },
  { code: "communications", name: "Communications" },
  { code: "principles_of_flight", name: "Principles of flight" },
  { code: "operational_procedures", name: "Operational procedures" },
  { code: "flight_performance", name: "Flight performance and planning" },
  { code: "aircraft_knowledge", name: "Aircraft general knowledge" },
  { code: "navigation", name: "Navigation" },
];

const { pass_percent, attempts, months, valid_months } = theoryRule;
const theory = { pass_percent, attempts, sittings: null, months, valid_months, legal_basis: theoryRule.source.article };

const phases = [
  { code: "basics", name: "Handling the aeroplane" },
  { code: "solo", name: "To the first solo" },
  { code: "navigation", name: "Navigation, to the skill test" },
];

function licence(kind: ProgramKind, name: string, rule: TrainingRule, lessons: Syllabus["lessons"]): Syllabus {
  const { article, regulation, effective_from } = rule.source;
  return {
    format: "windsock-syllabus-1",
    kind,
    name,
    legal_basis: `${article}, ${regulation}`,
    effective_from,
    ...{
      skill_test: true,
      theory,
      subjects,
      minima: minimaOf(rule),
      aircraft_classes: [...aeroplaneClasses],
      scales,
      phases,
      lessons,
    },
  };
}

export interface Template {
  key: string;
  syllabus: Syllabus;
}

/** Exercise 19 of the LAPL(A) is for touring motor gliders. */
export const templates: readonly Template[] = [
  { key: "ppl-a", syllabus: licence("ppl_a", "PPL(A)", trainingRules.ppl_a, exercises()) },
  { key: "lapl-a", syllabus: licence("lapl_a", "LAPL(A)", trainingRules.lapl_a, exercises(["19"])) },
  { key: "ppl-a-from-lapl-a", syllabus: pplFromLapl },
  { key: "tmg", syllabus: tmgClass },
  { key: "night", syllabus: nightRating },
  { key: "aerobatic", syllabus: aerobaticRating },
  { key: "towing", syllabus: towingRating },
  { key: "cri", syllabus: criCertificate },
  { key: "fe", syllabus: examinerCourse },
];
