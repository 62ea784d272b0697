/** Which items an instructor with restricted privileges does not sign off. */
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Lesson } from "../revisions/syllabus.schemas.ts";

/** Their students fly solo for the first time. */
const fromTheBeginning: readonly ProgramKind[] = ["lapl_a", "ppl_a", "cpl", "atpl"];

type Syllabus = readonly Pick<Lesson, "code" | "kind" | "requires" | "items">[];

interface Signed {
  lesson: Pick<Lesson, "kind" | "requires">;
  item: Pick<Lesson["items"][number], "milestone">;
}

/**
 * Returns whether the item needs an instructor with full privileges: the first solo flight and the first solo cross-country
 * flight of a student (FCL.910.FI). One that the syllabus does not mark may be any item of a solo lesson, whether or not it
 * marks the other. Only a lesson that another solo must precede is not the first solo. Nothing else tells lessons apart: a
 * lesson does not say whether it is flown cross-country.
 */
export function needsUnrestricted(kind: ProgramKind, syllabus: Syllabus, { lesson, item }: Signed): boolean {
  if (item.milestone !== null) return true;
  if (lesson.kind !== "solo" || !fromTheBeginning.includes(kind)) return false;
  const marked = new Set(syllabus.flatMap(({ items }) => items.map(({ milestone }) => milestone)));
  if (!marked.has("first_solo_cross_country")) return true;
  return !marked.has("first_solo") && !followsSolo(syllabus, lesson);
}

/** Returns whether a solo lesson is among those that must be done before. */
function followsSolo(syllabus: Syllabus, { requires }: Pick<Lesson, "requires">): boolean {
  const afterSolo = new Set<string>();
  // A lesson requires only earlier ones.
  for (const one of syllabus)
    if (one.kind === "solo" || one.requires.some((code) => afterSolo.has(code))) afterSolo.add(one.code);
  return requires.some((code) => afterSolo.has(code));
}
