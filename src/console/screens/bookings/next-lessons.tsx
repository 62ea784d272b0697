/** What comes next in the caller's training. */
import type { StudentProgress } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { bookingText } from "./words.ts";

export type NextLesson = StudentProgress["next_lessons"][number] & { program: string };

/** Returns the next lessons of all trainings, in their order. @param personId empty: nobody was chosen */
export function useNextLessons(personId: string): readonly NextLesson[] {
  const { data } = useResource(
    personId !== "" && may("training:read", "training:read_own") ? "GET /orgs/{orgId}/training/progress" : undefined,
    { query: { student_id: personId } },
  );
  return (data?.data ?? []).flatMap(({ program, next_lessons }) =>
    next_lessons.map((lesson) => ({ ...lesson, program: program.name })),
  );
}

/** It shows nothing to those who are in no training. */
export function NextLessons({ personId }: { personId: string }) {
  const words = bookingText();
  const lessons = useNextLessons(personId);
  if (lessons.length === 0) return null;
  return (
    <Section title={words.nextLessons}>
      <Rows
        label={words.nextLessons}
        empty=""
        most={3}
        rows={lessons.map(({ id, code, name, kind, program, items }) => ({
          id,
          title: `${code} ${name}`,
          detail: [program, words.lessonKinds[kind], words.exercises(items.done, items.total)].join(" · "),
        }))}
      />
    </Section>
  );
}
