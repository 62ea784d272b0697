import type { TrainingRevision } from "../../api/operations.ts";

/** A grade by its name in the scale, with its code: `3 Done without help`. */
export function gradeName(scales: TrainingRevision["scales"], scale: string, grade: string): string {
  const name = scales.find(({ code }) => code === scale)?.grades.find(({ code }) => code === grade)?.name;
  return name === undefined || name === grade ? grade : `${grade} ${name}`;
}
