/** Built-in syllabi, from which a school makes its own programs. The figures are those of `compliance/rules/rules.ts`. */
import type { Language, Translated } from "../../../core/languages.ts";
import type { TrainingRule } from "../../compliance/rules/rule.ts";
import { aeroplaneClasses, theoryRule, trainingRules } from "../../compliance/rules/rules.ts";
import { minimaOf } from "../../compliance/rules/training-minima.ts";
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Syllabus } from "../revisions/syllabus.schemas.ts";
import { criCertificate, examinerCourse } from "./certificates.ts";
import { exercises } from "./exercises.ts";
import { aerobaticRating, nightRating, pplFromLapl, tmgClass, towingRating } from "./ratings.ts";
import { scales } from "./scales.ts";

type Named = readonly { code: string; name: Translated }[];

/** In German as the Luftfahrt-Bundesamt names the exams. */
const subjects: Named = [
  { code: "air_law", name: { en: "Air law", de: "Luftrecht" } },
  { code: "human_performance", name: { en: "Human performance", de: "Menschliches Leistungsvermögen" } },
  { code: "meteorology", name: { en: "Meteorology", de: "Meteorologie" } },
  { code: "communications", name: { en: "Communications", de: "Kommunikation" } },
  { code: "principles_of_flight", name: { en: "Principles of flight", de: "Grundlagen des Fliegens" } },
  { code: "operational_procedures", name: { en: "Operational procedures", de: "Betriebsverfahren" } },
  {
    code: "flight_performance",
    name: { en: "Flight performance and planning", de: "Flugleistung und Flugplanung" },
  },
  {
    code: "aircraft_knowledge",
    name: { en: "Aircraft general knowledge", de: "Allgemeine Luftfahrzeugkunde" },
  },
  { code: "navigation", name: { en: "Navigation", de: "Navigation" } },
];

const phases: Named = [
  { code: "basics", name: { en: "Handling the aeroplane", de: "Führen des Flugzeugs" } },
  { code: "solo", name: { en: "To the first solo", de: "Bis zum ersten Alleinflug" } },
  {
    code: "navigation",
    name: { en: "Navigation, to the skill test", de: "Navigation, bis zur praktischen Prüfung" },
  },
];

const namedIn = (language: Language, parts: Named) => parts.map(({ code, name }) => ({ code, name: name[language] }));

const { pass_percent, attempts, months, valid_months } = theoryRule;
const theory = { pass_percent, attempts, sittings: null, months, valid_months, legal_basis: theoryRule.source.article };

interface Licence {
  kind: ProgramKind;
  name: string;
  rule: TrainingRule;
  /** The codes of exercises that it does not ask for. */
  without?: readonly string[];
}

const licence =
  ({ kind, name, rule, without }: Licence) =>
  (language: Language): Syllabus => ({
    format: "windsock-syllabus-1",
    kind,
    name,
    legal_basis: `${rule.source.article}, ${rule.source.regulation}`,
    effective_from: rule.source.effective_from,
    skill_test: true,
    theory,
    subjects: namedIn(language, subjects),
    minima: minimaOf(rule),
    aircraft_classes: [...aeroplaneClasses],
    scales: scales(language),
    phases: namedIn(language, phases),
    lessons: exercises(language, without),
  });

export interface Template {
  key: string;
  /** Makes the syllabus in a language. Only the texts differ. */
  syllabusIn: (language: Language) => Syllabus;
}

/** Exercise 19 of the LAPL(A) is for touring motor gliders. */
export const templates: readonly Template[] = [
  { key: "ppl-a", syllabusIn: licence({ kind: "ppl_a", name: "PPL(A)", rule: trainingRules.ppl_a }) },
  {
    key: "lapl-a",
    syllabusIn: licence({ kind: "lapl_a", name: "LAPL(A)", rule: trainingRules.lapl_a, without: ["19"] }),
  },
  { key: "ppl-a-from-lapl-a", syllabusIn: pplFromLapl },
  { key: "tmg", syllabusIn: tmgClass },
  { key: "night", syllabusIn: nightRating },
  { key: "aerobatic", syllabusIn: aerobaticRating },
  { key: "towing", syllabusIn: towingRating },
  { key: "cri", syllabusIn: criCertificate },
  { key: "fe", syllabusIn: examinerCourse },
];
