/** A syllabus while it is edited: its phases, lessons and exercises have keys of their own, because their codes change. */
import type { SyllabusChange, SyllabusOutput } from "../../api/operations.ts";

interface Keyed {
  key: string;
}

type Lesson = SyllabusOutput["lessons"][number];
export type DraftPhase = SyllabusOutput["phases"][number] & Keyed;
export type DraftItem = Lesson["items"][number] & Keyed;
export type DraftLesson = Omit<Lesson, "items"> & Keyed & { items: readonly DraftItem[] };
export type Minimum = SyllabusOutput["minima"][number];
export type TheoryRules = NonNullable<SyllabusOutput["theory"]>;
export type DraftSubject = SyllabusOutput["subjects"][number] & Keyed;
type Scale = SyllabusOutput["scales"][number];
export type DraftGrade = Scale["grades"][number] & Keyed;
export type DraftScale = Omit<Scale, "grades"> & Keyed & { grades: readonly DraftGrade[] };

export interface Draft {
  legal_basis: string;
  effective_from: string;
  skill_test: boolean;
  phases: readonly DraftPhase[];
  lessons: readonly DraftLesson[];
  minima: readonly Minimum[];
  theory: TheoryRules | null;
  subjects: readonly DraftSubject[];
  scales: readonly DraftScale[];
}

let count = 0;
export const newKey = (): string => {
  count += 1;
  return `new ${count}`;
};

const keyed = <Row extends object>(row: Row): Row & Keyed => ({ ...row, key: newKey() });

export const draftOf = ({
  legal_basis,
  effective_from,
  skill_test,
  phases,
  lessons,
  minima,
  theory,
  subjects,
  scales,
}: SyllabusOutput): Draft => ({
  ...{ legal_basis, effective_from, skill_test, minima, theory },
  phases: phases.map(keyed),
  subjects: subjects.map(keyed),
  scales: scales.map((scale) => ({ ...keyed(scale), grades: scale.grades.map(keyed) })),
  lessons: lessons.map((lesson) => ({
    ...keyed(lesson),
    items: lesson.items.map(keyed),
  })),
});

const keyless = <Row extends Keyed>({ key: _, ...row }: Row): Omit<Row, "key"> => row;

function bodyOf({ phases, lessons, minima, subjects, scales, ...rest }: Draft) {
  return {
    ...rest,
    minima: [...minima],
    phases: phases.map(keyless),
    subjects: subjects.map(keyless),
    scales: scales.map(({ grades, ...scale }) => ({ ...keyless(scale), grades: grades.map(keyless) })),
    lessons: lessons.map(({ items, ...lesson }) => ({ ...keyless(lesson), items: items.map(keyless) })),
  };
}

/** Only the parts that have changed. */
export function changeOf(before: Draft, now: Draft): SyllabusChange {
  const [old, next] = [bodyOf(before), bodyOf(now)];
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
    ),
  );
}

/** A code that others name is changed with it. */
export const withLesson = (draft: Draft, lesson: DraftLesson): Draft => {
  const before = draft.lessons.find(({ key }) => key === lesson.key);
  const renamed = (code: string) => (code === before?.code ? lesson.code : code);
  return {
    ...draft,
    lessons: before
      ? draft.lessons.map((one) => (one.key === lesson.key ? lesson : { ...one, requires: one.requires.map(renamed) }))
      : [...draft.lessons, lesson],
  };
};

export const withoutLesson = (draft: Draft, { key, code }: DraftLesson): Draft => ({
  ...draft,
  lessons: draft.lessons
    .filter((one) => one.key !== key)
    .map((one) => ({ ...one, requires: one.requires.filter((required) => required !== code) })),
});

export const withPhase = (draft: Draft, phase: DraftPhase): Draft => {
  const before = draft.phases.find(({ key }) => key === phase.key);
  return {
    ...draft,
    phases: before ? draft.phases.map((one) => (one.key === phase.key ? phase : one)) : [...draft.phases, phase],
    lessons: draft.lessons.map((lesson) =>
      before && lesson.phase === before.code ? { ...lesson, phase: phase.code } : lesson,
    ),
  };
};

export const withoutPhase = (draft: Draft, { key, code }: DraftPhase): Draft => ({
  ...draft,
  phases: draft.phases.filter((one) => one.key !== key),
  lessons: draft.lessons.map((lesson) => (lesson.phase === code ? { ...lesson, phase: null } : lesson)),
});

/** The exercises that are graded by a scale go on with it under its new code. */
export const withScale = (draft: Draft, scale: DraftScale): Draft => {
  const before = draft.scales.find(({ key }) => key === scale.key);
  if (!before) return { ...draft, scales: [...draft.scales, scale] };
  return {
    ...draft,
    scales: draft.scales.map((one) => (one.key === scale.key ? scale : one)),
    lessons: draft.lessons.map((lesson) => ({
      ...lesson,
      items: lesson.items.map((item) => (item.scale === before.code ? { ...item, scale: scale.code } : item)),
    })),
  };
};

/** How many exercises are graded by a scale. */
export const gradedBy = ({ lessons }: Draft, { code }: Pick<DraftScale, "code">): number =>
  lessons.flatMap(({ items }) => items).filter(({ scale }) => scale === code).length;

/** The first number that is no code yet. */
export const nextCode = (rows: readonly { code: string }[]): string => {
  const taken = new Set(rows.map(({ code }) => code));
  let next = taken.size + 1;
  while (taken.has(String(next))) next += 1;
  return String(next);
};

/** The codes that a lesson requires although they come after it, or are gone. */
export const tooLate = (lessons: readonly DraftLesson[], at: number): readonly string[] => {
  const earlier = new Set(lessons.slice(0, at).map(({ code }) => code));
  return (lessons[at]?.requires ?? []).filter((code) => !earlier.has(code));
};
