/** A built-in syllabus for a rating or a certificate: lessons without phases, and no theory exams. */
import type { Language, Translated } from "../../../core/languages.ts";
import type { Source } from "../../compliance/rules/rule.ts";
import { aeroplaneClasses } from "../../compliance/rules/rules.ts";
import type { Minimum } from "../../compliance/rules/training-minima.ts";
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Lesson, Syllabus } from "../revisions/syllabus.schemas.ts";
import { scaleCode, scales } from "./scales.ts";

interface Given {
  code: string;
  kind: Lesson["kind"];
  /** The codes of lessons that must be done before. */
  requires?: readonly string[];
  name: Translated;
  items: readonly Translated[];
}

interface Details {
  kind: ProgramKind;
  name: Translated;
  rule: { source: Source };
  minima: Minimum[];
  classes?: Syllabus["aircraft_classes"];
  skill_test?: boolean;
}

const lessonIn = (language: Language, { code, kind, requires = [], name, items }: Given): Lesson => ({
  code,
  name: name[language],
  kind,
  phase: null,
  requires: [...requires],
  items: items.map((item, at) => ({
    code: String(at + 1),
    name: item[language],
    scale: scaleCode,
    milestone: null,
  })),
});

/** Returns what makes the syllabus in a language. */
export const ratingSyllabus =
  (
    { kind, name, rule: { source }, minima, classes = [...aeroplaneClasses], skill_test = false }: Details,
    lessons: readonly Given[],
  ) =>
  (language: Language): Syllabus => ({
    format: "windsock-syllabus-1",
    kind,
    name: name[language],
    legal_basis: `${source.article}, ${source.regulation}`,
    effective_from: source.effective_from,
    skill_test,
    theory: null,
    subjects: [],
    minima,
    aircraft_classes: classes,
    scales: scales(language),
    phases: [],
    lessons: lessons.map((lesson) => lessonIn(language, lesson)),
  });
