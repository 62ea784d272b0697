/** Which items an instructor with restricted privileges does not sign off. */
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Lesson } from "../revisions/syllabus.schemas.ts";

/** Their students fly solo for the first time. */
const fromTheBeginning: readonly ProgramKind[] = ["lapl_a", "ppl_a", "cpl", "atpl"];

interface Signed {
  lesson: Pick<Lesson, "kind">;
  item: Pick<Lesson["items"][number], "milestone">;
}

/**
 * Returns whether the item needs an instructor with full privileges: the first solo flight and the first solo cross-country
 * flight of a student (FCL.910.FI). In a syllabus that marks neither, each item of a solo lesson may be one.
 */
export function needsUnrestricted(
  kind: ProgramKind,
  lessons: readonly Pick<Lesson, "items">[],
  { lesson, item }: Signed,
): boolean {
  if (item.milestone !== null) return true;
  const isMarked = lessons.some(({ items }) => items.some(({ milestone }) => milestone !== null));
  return lesson.kind === "solo" && !isMarked && fromTheBeginning.includes(kind);
}
