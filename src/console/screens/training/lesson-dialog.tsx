/** One lesson of a training: its exercises with the newest grade of each. */
import type { Enrollment, TrainingLesson, TrainingRevision, TrainingSignoff } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/rows.tsx";
import { gradeName } from "./grade-name.ts";
import { gradeKey, type Lesson, type LessonState } from "./lesson-state.ts";
import { mayRecordFor } from "./may-record.ts";
import { trainingText } from "./words.ts";

interface LessonDialogProps {
  enrollment: Enrollment;
  lesson: Lesson & { state: LessonState };
  planned: TrainingLesson | undefined;
  scales: TrainingRevision["scales"];
  grades: ReadonlyMap<string, TrainingSignoff>;
  onClose: () => void;
}

export function LessonDialog({ enrollment, lesson, planned, scales, grades, onClose }: LessonDialogProps) {
  const words = trainingText();
  return (
    <Dialog title={`${lesson.code} ${lesson.name}`} onClose={onClose}>
      <p class="quiet">
        {[
          words.states[lesson.state],
          words.lessonKinds[lesson.kind],
          planned && planned.requires.length > 0 && words.requires(planned.requires.join(", ")),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <Rows
        label={words.exercisesHead}
        empty=""
        most={100}
        rows={(planned?.items ?? []).map(({ id, code, name, scale }) => {
          const grade = grades.get(gradeKey(lesson.code, code));
          return {
            id,
            title: name,
            detail: grade ? words.gradedBy(formatDate(grade.signed_at), grade.instructor.name) : words.notGraded,
            aside: grade && <Badge tone={grade.passed ? "good" : "bad"}>{gradeName(scales, scale, grade.grade)}</Badge>,
          };
        })}
      />
      {mayRecordFor(enrollment) && (
        <div class="form-actions">
          <a class="button primary" href={`/app/training/${enrollment.id}/grade?lesson=${lesson.id}`}>
            {words.gradeIt}
          </a>
        </div>
      )}
    </Dialog>
  );
}
