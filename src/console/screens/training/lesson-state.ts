/** What has become of each lesson of a training. */
import type { TrainingProgress, TrainingSignoff } from "../../api/operations.ts";
import type { IconName } from "../../ui/icon.tsx";

export type Lesson = TrainingProgress["lessons"][number];

export const lessonStates = ["done", "failed", "next", "begun", "open", "locked"] as const;
export type LessonState = (typeof lessonStates)[number];

export const stateIcons: Record<LessonState, IconName> = {
  done: "check",
  failed: "stop",
  next: "next",
  begun: "more",
  open: "dot",
  locked: "lock",
};

/** The newest grade of each item that counts, by the codes of the lesson and the item: revisions share them. */
export function newestGrades(signoffs: readonly TrainingSignoff[]): ReadonlyMap<string, TrainingSignoff> {
  const newest = new Map<string, TrainingSignoff>();
  for (const signoff of signoffs) {
    if (!signoff.counts) continue;
    const key = gradeKey(signoff.lesson.code, signoff.item.code);
    if ((newest.get(key)?.signed_at ?? "") < signoff.signed_at) newest.set(key, signoff);
  }
  return newest;
}

export const gradeKey = (lesson: string, item: string): string => JSON.stringify([lesson, item]);

export function stateOf(
  lesson: Lesson,
  { next_lessons }: TrainingProgress,
  grades: ReadonlyMap<string, TrainingSignoff>,
): LessonState {
  const { done, total } = lesson.items;
  if (total > 0 && done >= total) return "done";
  if ([...grades.values()].some((grade) => grade.lesson.code === lesson.code && !grade.passed)) return "failed";
  if (next_lessons[0]?.id === lesson.id) return "next";
  if (done > 0) return "begun";
  return lesson.open ? "open" : "locked";
}
