/** Parts of the record of a lesson, as the page shows it and as the student reads it. */
import type { ComponentChildren } from "preact";
import type { LessonRecord, TrainingRevision, TrainingSignoff } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { trainingText } from "./words.ts";

interface GradesProps {
  grades: LessonRecord["grades"];
  scales: TrainingRevision["scales"];
}

/** A grade by its name, if no two scales have it. */
function nameOf(scales: TrainingRevision["scales"], grade: string): string {
  const names = scales.flatMap(({ grades }) => grades.filter(({ code }) => code === grade).map(({ name }) => name));
  const [name] = new Set(names).size === 1 ? names : [];
  return name === undefined || name === grade ? grade : `${grade} ${name}`;
}

export const Grades = ({ grades, scales }: GradesProps) => (
  <>
    {grades.map(({ signoff_id, item, grade, passed, remarks }) => (
      <span key={signoff_id} class="graded">
        <Badge tone={passed ? "good" : "bad"}>{nameOf(scales, grade)}</Badge>
        <span>
          {item.name}
          {remarks !== null && <span class="as-written quiet"> {remarks}</span>}
        </span>
      </span>
    ))}
  </>
);

/** A grade of no lesson record, as a row. */
export const signoffRow = (signoff: TrainingSignoff, scales: TrainingRevision["scales"]) => ({
  id: signoff.id,
  title: `${signoff.lesson.code} ${signoff.lesson.name}`,
  detail: (
    <span class="stack">
      <span>{trainingText().gradedBy(formatDate(signoff.signed_at), signoff.instructor.name)}</span>
      <Grades grades={[{ ...signoff, signoff_id: signoff.id }]} scales={scales} />
    </span>
  ),
});

/** What was written, and for whom. */
export const Said = ({ by, isAmong, children }: { by: string; isAmong?: boolean; children: ComponentChildren }) => (
  <span class={isAmong ? "said among" : "said"}>
    <span class="small quiet">{by}</span>
    <span class="as-written">{children}</span>
  </span>
);
