/** A person's training: each enrollment with how far it is. */
import { useSignal } from "@preact/signals";
import type { Enrollment, Person, TrainingProgress } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { EnrollDialog } from "../training/enroll-dialog.tsx";
import { Metered, Minima } from "../training/meters.tsx";
import { enrollmentTones } from "../training/standing.tsx";
import { trainingText } from "../training/words.ts";

interface TrainingOfProps {
  personId: string;
  /** Undefined until it is known. */
  person: Person | undefined;
}

export function TrainingOf({ personId, person }: TrainingOfProps) {
  const { person: words } = text();
  const isEnrolling = useSignal(false);
  const isStudent = person?.types.includes("student") === true;
  const enrollments = useResource("GET /orgs/{orgId}/training/enrollments", { query: { student_id: personId } });
  // Others than students have a section for what they have been enrolled in.
  if (!isStudent && !enrollments.data?.data.length) return null;
  return (
    <Section
      title={words.training}
      actions={
        may("training:manage") &&
        person?.status === "active" && (
          <Button
            kind="plain"
            icon="plus"
            onClick={() => {
              isEnrolling.value = true;
            }}
          >
            {trainingText().enrollAction}
          </Button>
        )
      }
    >
      <Loaded resource={enrollments}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{words.noTraining}</p>
          ) : (
            data.map((enrollment) => <Enrolled key={enrollment.id} enrollment={enrollment} />)
          )
        }
      </Loaded>
      {isEnrolling.value && person && (
        <EnrollDialog
          of={person}
          onClose={() => {
            isEnrolling.value = false;
          }}
        />
      )}
    </Section>
  );
}

function Enrolled({ enrollment: { id, program, status, started_on, ended_on } }: { enrollment: Enrollment }) {
  const { person: words } = text();
  const progress = useResource(
    status === "active" || status === "suspended"
      ? "GET /orgs/{orgId}/training/enrollments/{enrollmentId}/progress"
      : undefined,
    { path: { enrollmentId: id } },
  );
  const now = progress.data?.data;
  return (
    <div class="form">
      <div class="title-line">
        <strong>
          <a href={`/app/training/${id}`}>{program.name}</a>
        </strong>
        <Badge tone={enrollmentTones[status]}>{words.enrollments[status]}</Badge>
        {now?.ready_for_test && <Badge tone="good">{words.readyForTest}</Badge>}
        {now?.stalled && <Badge tone="warn">{words.stalled}</Badge>}
        <span class="quiet small">
          {ended_on === null
            ? words.since(formatDay(started_on))
            : words.until(formatDay(started_on), formatDay(ended_on))}
        </span>
      </div>
      {now && <Progress progress={now} />}
    </div>
  );
}

function Progress({ progress: { items, minima } }: { progress: TrainingProgress }) {
  const { person: words } = text();
  return (
    <div class="meters">
      {items.total > 0 && (
        <Metered
          label={words.syllabus}
          value={items.done}
          max={items.total}
          said={words.lessonsDone(items.done, items.total)}
        />
      )}
      <Minima minima={minima} />
    </div>
  );
}
