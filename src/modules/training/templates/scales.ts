/** The grading scale of the built-in syllabi. */
import type { Scale } from "../revisions/syllabus.schemas.ts";

export const scales: Scale[] = [
  {
    code: "usual",
    grades: [
      { code: "1", name: "Shown by the instructor", passed: false },
      { code: "2", name: "Done with help", passed: false },
      { code: "3", name: "Done without help, as the licence asks for", passed: true },
      { code: "4", name: "Done better than the licence asks for", passed: true },
    ],
  },
];
