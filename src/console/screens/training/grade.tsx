/** Grades a lesson: which flight or lesson, a grade for each exercise, a text for the student and one among instructors. For thumbs. */
import { useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type {
  Enrollment,
  LessonRecord,
  TrainingLesson,
  TrainingProgress,
  TrainingRevision,
} from "../../api/operations.ts";
import { forgetDraft, keepDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, type Parameters, place } from "../../app/router.ts";
import { call, organization } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Exercises } from "./exercises.tsx";
import { type GradedFlight, useFlown } from "./flown.ts";
import { type Typed, useKeptGrades } from "./grade-draft.ts";
import { HandOver } from "./hand-over.tsx";
import { InstructorField } from "./instructor-field.tsx";
import { mayRecordFor } from "./may-record.ts";
import { trainingText } from "./words.ts";

export default function GradePage({ enrollmentId = "" }: Parameters) {
  const words = trainingText();
  const found = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}", { path: { enrollmentId } });
  const progress = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}/progress", {
    path: { enrollmentId },
  });
  const enrollment = found.data?.data;
  const path = { programId: enrollment?.program_id ?? "", revisionId: enrollment?.revision_id ?? "" };
  const revision = useResource(enrollment && "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}", {
    path,
  });
  const lessons = useResource(
    enrollment && "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/lessons",
    { path, query: { limit: 500 } },
  );
  const flown = useFlown(enrollment, lessons.data?.data);
  const { found: kept, startOver } = useKeptGrades(enrollmentId);
  const problem = found.problem ?? revision.problem ?? lessons.problem ?? progress.problem;
  const back = `/app/training/${enrollmentId}`;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.gradeLesson}</h1>
          {enrollment && (
            <p class="quiet">
              <a href={back}>{enrollment.student.name}</a> · {enrollment.program.name}
            </p>
          )}
        </div>
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={found.reload} />}
      {enrollment && !mayRecordFor(enrollment) ? (
        <Empty title={words.mayNotGrade}>{words.mayNotGradeHint}</Empty>
      ) : enrollment && revision.data && lessons.data && progress.data && flown && kept ? (
        <GradeForm
          key={`${kept.name} ${kept.typed === undefined}`}
          {...{ enrollment, back, startOver }}
          draft={kept.name}
          typed={kept.typed}
          scales={revision.data.data.scales}
          lessons={lessons.data.data}
          next={progress.data.data.next_lessons}
          flown={flown}
        />
      ) : (
        problem === undefined && <Skeleton lines={8} />
      )}
    </>
  );
}

interface GradeFormProps {
  enrollment: Enrollment;
  scales: TrainingRevision["scales"];
  lessons: readonly TrainingLesson[];
  next: TrainingProgress["next_lessons"];
  /** Those without a record first. */
  flown: readonly GradedFlight[];
  back: string;
  /** Under which name what is typed is kept. */
  draft: string;
  /** What was typed earlier. */
  typed: Typed | undefined;
  startOver: () => Promise<void>;
}

const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed);

function GradeForm({ enrollment, scales, lessons, next, flown, back, draft, typed, startOver }: GradeFormProps) {
  const words = trainingText();
  const began = useMemo(() => beginning({ flown, lessons, next, typed }), []);
  const flight = useSignal(began.flight);
  const lesson = useSignal(began.lesson);
  const gradings = useSignal<Typed["gradings"]>(typed?.gradings ?? {});
  const remarks = useSignal(typed?.remarks ?? "");
  const notes = useSignal(typed?.notes ?? "");
  const instructor = useSignal("");
  const handsOver = useSignal(true);
  const recorded = useSignal<LessonRecord | undefined>(undefined);
  const keep = () =>
    keepDraft(draft, {
      ...{ flight: flight.value, lesson: lesson.value, gradings: gradings.value },
      ...{ remarks: remarks.value, notes: notes.value },
    } satisfies Typed);

  const of = flown.find(({ id }) => id === flight.value);
  const lessonId = of?.lesson_id ?? lesson.value;
  const chosen = lessons.find(({ id }) => id === lessonId);
  const items = chosen?.items ?? [];
  const isEmpty = useComputed(
    () => remarks.value.trim() === "" && notes.value.trim() === "" && Object.keys(gradings.value).length === 0,
  );

  const sign = async () => {
    const { data } = await call("POST /orgs/{orgId}/training/lesson-records", {
      body: {
        enrollment_id: enrollment.id,
        lesson_id: lessonId,
        flight_id: of?.id ?? null,
        remarks: orNull(remarks.value),
        instructor_notes: orNull(notes.value),
        instructor_id: instructor.value === "" || instructor.value === ownId() ? null : instructor.value,
        grades: items.flatMap(({ id }) => {
          const grading = gradings.value[id];
          return grading ? [{ item_id: id, grade: grading.grade, remarks: orNull(grading.remarks) }] : [];
        }),
      },
    });
    await forgetDraft(draft);
    await changed("/training", "/today");
    if (handsOver.value) recorded.value = data;
    else {
      toast(words.lessonRecorded);
      go(back);
    }
  };

  // What was typed is gone from the page: the student reads the record alone.
  if (recorded.value)
    return (
      <HandOver
        record={recorded.value}
        scales={scales}
        onEnd={() => {
          recorded.value = undefined;
          go(back);
        }}
      />
    );
  return (
    <div class="narrow form">
      {typed && (
        <div class="notice info" role="status">
          <span>{words.typedEarlier}</span>
          <div>
            <Button onClick={startOver}>{text().flights.startOver}</Button>
          </div>
        </div>
      )}
      <Form onSubmit={sign} isKept>
        <div class="form" onInput={keep} onChange={keep}>
          {flown.length > 0 && (
            <SelectField
              name="flight_id"
              label={words.flight}
              value={flight}
              options={[
                ...flown.map(({ id, title }) => ({ value: id, label: title })),
                { value: "", label: words.noFlight },
              ]}
            />
          )}
          {of === undefined && (
            <SelectField
              name="lesson_id"
              label={words.lesson}
              value={lesson}
              options={lessons.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` }))}
            />
          )}
          {may("training:manage") && <InstructorField value={instructor} flight={of} />}
          {chosen && (
            <Exercises
              lesson={chosen}
              {...{ scales, enrollment, gradings }}
              onChange={(next) => {
                gradings.value = next;
                void keep();
              }}
            />
          )}
          <TextField
            name="remarks"
            label={words.forStudent}
            hint={words.forStudentHint}
            value={remarks}
            maxLength={2000}
            multiline
          />
          <div class="among-field">
            <TextField
              name="instructor_notes"
              label={words.notes}
              hint={words.notesHint}
              value={notes}
              maxLength={2000}
              multiline
            />
          </div>
          <CheckField name="hand_over" label={words.handOver(enrollment.student.name)} value={handsOver} />
        </div>
        <div class="form-actions">
          <Submit busyText={words.signing}>{handsOver.value ? words.signAndHandOver : words.signOnly}</Submit>
          <a class="button" href={back}>
            {words.leaveIt}
          </a>
        </div>
        {isEmpty.value && <p class="quiet small">{words.gradeOrText}</p>}
      </Form>
    </div>
  );
}

const ownId = (): string => organization.value?.person_id ?? "";

/** What was typed earlier; else what the address names; else the last flight that has no record yet; else the next lesson. */
function beginning({ flown, lessons, next, typed }: Pick<GradeFormProps, "flown" | "lessons" | "next" | "typed">) {
  if (typed) return { flight: flown.some(({ id }) => id === typed.flight) ? typed.flight : "", lesson: typed.lesson };
  const { query } = place.value;
  const lesson = lessons.find(({ id }) => id === query.get("lesson"));
  const flight =
    flown.find(({ id }) => id === query.get("flight")) ??
    flown.find(({ isRecorded, lesson_id }) => !isRecorded && (lesson === undefined || lesson_id === lesson.id));
  return { flight: flight?.id ?? "", lesson: (lesson ?? next[0] ?? lessons[0])?.id ?? "" };
}
