/** The grading scale of the built-in syllabi. */
import type { Scale } from "../revisions/syllabus.schemas.ts";

/** It is what people read as the scale's name, so that it is the same in all languages. */
export const scaleCode = "1-4";

export const scales: Scale[] = [
  {
    code: scaleCode,
    grades: [
      { code: "1", name: "Shown by the instructor", passed: false },
      { code: "2", name: "Done with help", passed: false },
      { code: "3", name: "Done without help, as the licence asks for", passed: true },
      { code: "4", name: "Done better than the licence asks for", passed: true },
    ],
  },
];
