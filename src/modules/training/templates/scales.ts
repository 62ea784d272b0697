/** The grading scale of the built-in syllabi. */
import type { Language, Translated } from "../../../core/languages.ts";
import type { Scale } from "../revisions/syllabus.schemas.ts";

/** It is what people read as the scale's name, so that it is the same in all languages. */
export const scaleCode = "1-4";

const grades: readonly { code: string; name: Translated; passed: boolean }[] = [
  { code: "1", name: { en: "Shown by the instructor", de: "Vom Fluglehrer gezeigt" }, passed: false },
  { code: "2", name: { en: "Done with help", de: "Mit Hilfe ausgeführt" }, passed: false },
  {
    code: "3",
    name: { en: "Done without help, as the licence asks for", de: "Selbstständig, wie die Lizenz es verlangt" },
    passed: true,
  },
  {
    code: "4",
    name: { en: "Done better than the licence asks for", de: "Besser, als die Lizenz es verlangt" },
    passed: true,
  },
];

export const scales = (language: Language): Scale[] => [
  { code: scaleCode, grades: grades.map(({ name, ...grade }) => ({ ...grade, name: name[language] })) },
];
