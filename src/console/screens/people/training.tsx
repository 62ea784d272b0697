/** A person's training: each enrollment with how far it is. */
import type { Enrollment, TrainingProgress } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { Metered, Minima } from "../training/meters.tsx";
import { enrollmentTones } from "../training/standing.tsx";

export function TrainingOf({ personId, isStudent }: { personId: string; isStudent: boolean }) {
  const { person: words } = text();
  const enrollments = useResource("GET /orgs/{orgId}/training/enrollments", { query: { student_id: personId } });
  // Others than students have a section for what they have been enrolled in.
  if (!isStudent && !enrollments.data?.data.length) return null;
  return (
    <Section title={words.training}>
      <Loaded resource={enrollments}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{words.noTraining}</p>
          ) : (
            data.map((enrollment) => <Enrolled key={enrollment.id} enrollment={enrollment} />)
          )
        }
      </Loaded>
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
