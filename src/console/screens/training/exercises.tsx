/** The exercises of a lesson, each with a grade of its scale: one row of large buttons, and what the chosen one means below. */
import type { ReadonlySignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Enrollment, TrainingLesson, TrainingRevision, TrainingSignoff } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { gradeName } from "./grade-name.ts";
import { gradeKey, newestGrades } from "./lesson-state.ts";
import { trainingText } from "./words.ts";

export interface Grading {
  grade: string;
  remarks: string;
}

type Gradings = Readonly<Record<string, Grading>>;

interface ExercisesProps {
  enrollment: Enrollment;
  lesson: TrainingLesson;
  scales: TrainingRevision["scales"];
  gradings: ReadonlySignal<Gradings>;
  onChange: (gradings: Gradings) => void;
}

export function Exercises({ enrollment, lesson, scales, gradings, onChange }: ExercisesProps) {
  const { student_id, program_id } = enrollment;
  const signoffs = useResource("GET /orgs/{orgId}/training/signoffs", {
    query: { student_id, program_id, limit: 500 },
  });
  const newest = newestGrades(signoffs.data?.data ?? []);
  return (
    <>
      {lesson.items.map((item) => (
        <Exercise
          key={item.id}
          {...{ item, scales }}
          last={newest.get(gradeKey(lesson.code, item.code))}
          grading={gradings.value[item.id]}
          onGrade={(grading) => {
            const { [item.id]: _, ...others } = gradings.value;
            onChange(grading ? { ...others, [item.id]: grading } : others);
          }}
        />
      ))}
    </>
  );
}

interface ExerciseProps {
  item: TrainingLesson["items"][number];
  scales: TrainingRevision["scales"];
  last: TrainingSignoff | undefined;
  grading: Grading | undefined;
  onGrade: (grading: Grading | undefined) => void;
}

function Exercise({ item, scales, last, grading, onGrade }: ExerciseProps) {
  const words = trainingText();
  const name = useId();
  const scale = scales.find(({ code }) => code === item.scale);
  const chosen = scale?.grades.find(({ code }) => code === grading?.grade);
  return (
    <fieldset class="exercise">
      <legend>{item.name}</legend>
      <div class="grades">
        {scale?.grades.map(({ code, name: meaning, passed }) => (
          <label key={code} class={passed ? "good" : "bad"}>
            <input
              type="radio"
              name={name}
              value={code}
              checked={grading?.grade === code}
              onChange={() => onGrade({ grade: code, remarks: grading?.remarks ?? "" })}
            />
            <span aria-hidden="true">{code}</span>
            <span class="visually-hidden">{meaning === code ? code : `${code} ${meaning}`}</span>
          </label>
        ))}
        <label>
          <input type="radio" name={name} value="" checked={!grading} onChange={() => onGrade(undefined)} />
          <span aria-hidden="true">–</span>
          <span class="visually-hidden">{words.notNow}</span>
        </label>
      </div>
      <p class="small">
        {chosen ? (
          <strong>{chosen.name}</strong>
        ) : last ? (
          <span class="quiet">
            {words.lastTime(gradeName(scales, item.scale, last.grade), formatDate(last.signed_at))}
          </span>
        ) : (
          <span class="quiet">{words.notGraded}</span>
        )}
      </p>
      {grading && (
        <input
          class="input"
          aria-label={`${words.remarkOn} ${item.name}`}
          placeholder={words.remarkOn}
          maxLength={2000}
          value={grading.remarks}
          onInput={({ currentTarget }) => onGrade({ ...grading, remarks: currentTarget.value })}
        />
      )}
    </fieldset>
  );
}
