/** The syllabus as a map: what is done, what is next, what was not passed. Behind it the same as a table. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingProgress, TrainingSignoff } from "../../api/operations.ts";
import { useResource } from "../../app/resource.ts";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { LessonDialog } from "./lesson-dialog.tsx";
import { type Lesson, lessonStates, newestGrades, stateIcons, stateOf } from "./lesson-state.ts";
import { trainingText } from "./words.ts";

interface SyllabusMapProps {
  enrollment: Enrollment;
  progress: TrainingProgress;
  signoffs: readonly TrainingSignoff[];
}

export function SyllabusMap({ enrollment, progress, signoffs }: SyllabusMapProps) {
  const words = trainingText();
  const opened = useSignal<string | undefined>(undefined);
  const path = { programId: enrollment.program_id, revisionId: enrollment.revision_id };
  const revision = useResource("GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}", { path });
  const syllabus = useResource("GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/lessons", {
    path,
    query: { limit: 500 },
  });
  const grades = newestGrades(signoffs);
  const lessons = progress.lessons.map((lesson) => ({ ...lesson, state: stateOf(lesson, progress, grades) }));
  const planned = new Map((syllabus.data?.data ?? []).map((lesson) => [lesson.id, lesson]));
  const phaseOf = ({ id }: Lesson) => planned.get(id)?.phase ?? null;
  const known = revision.data?.data.phases ?? [];
  const phases = [...known, { code: null, name: words.otherLessons }]
    .map((phase) => ({ ...phase, lessons: lessons.filter((lesson) => phaseOf(lesson) === phase.code) }))
    .filter((phase) => phase.lessons.length > 0);
  const chosen = lessons.find(({ id }) => id === opened.value);
  return (
    <Section title={words.syllabus}>
      <p class="legend" aria-hidden="true">
        {lessonStates
          .map((state) => ({ state, count: lessons.filter((lesson) => lesson.state === state).length }))
          .filter(({ count }) => count > 0)
          .map(({ state, count }) => (
            <span key={state} class={`legend-part ${state}`}>
              <Icon name={stateIcons[state]} size={13} /> {words.states[state]} {count}
            </span>
          ))}
      </p>
      {syllabus.data === undefined || revision.data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        phases.map((phase) => (
          <div key={phase.code} class="form">
            <h3>{phase.name}</h3>
            <ol class="map">
              {phase.lessons.map(({ id, code, name, state, items }) => (
                <li key={id}>
                  <button
                    type="button"
                    class={state}
                    aria-haspopup="dialog"
                    onClick={() => {
                      opened.value = id;
                    }}
                  >
                    <strong>{code}</strong>
                    <Icon name={stateIcons[state]} size={15} />
                    <span class="brief">{name}</span>
                    <span class="visually-hidden">
                      , {words.states[state]}, {words.exercises(items.done, items.total)}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
          </div>
        ))
      )}
      <details>
        <summary>{words.asTable}</summary>
        <div class="scrolled">
          <table class="table plain" aria-label={words.syllabus}>
            <thead>
              <tr>
                <th scope="col">{words.lesson}</th>
                <th scope="col">{words.lessonKind}</th>
                <th scope="col">{words.exercisesHead}</th>
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody>
              {lessons.map(({ id, code, name, kind, items, state }) => (
                <tr key={id}>
                  <th scope="row" class="wraps">
                    {code} {name}
                  </th>
                  <td>{words.lessonKinds[kind]}</td>
                  <td>{words.exercises(items.done, items.total)}</td>
                  <td>{words.states[state]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      {chosen && (
        <LessonDialog
          lesson={chosen}
          planned={planned.get(chosen.id)}
          scales={revision.data?.data.scales ?? []}
          {...{ enrollment, grades }}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </Section>
  );
}
