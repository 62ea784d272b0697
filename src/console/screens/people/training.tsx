/** A person's training: each enrollment with how far it is. */
import type { Enrollment, TrainingProgress } from "../../api/operations.ts";
import { formatCount, formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { Loaded, Section } from "../../ui/section.tsx";

const tones: Record<Enrollment["status"], Tone> = {
  active: "info",
  suspended: "warn",
  completed: "good",
  withdrawn: "neutral",
};

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
        <strong>{program.name}</strong>
        <Badge tone={tones[status]}>{words.enrollments[status]}</Badge>
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
      {minima
        .filter(({ name }) => name !== "age" && name !== "long_cross_country")
        .map(({ name, required, done }) => (
          <Metered
            key={name}
            label={words.minima[name]}
            value={done ?? 0}
            max={required}
            said={`${said(name, done ?? 0)} / ${said(name, required)}`}
          />
        ))}
    </div>
  );
}

const said = (name: string, amount: number): string =>
  name.endsWith("_minutes") ? formatDuration(amount) : formatCount(amount);

function Metered({ label, value, max, said: words }: { label: string; value: number; max: number; said: string }) {
  return (
    <div class="metered">
      <div>
        <span>{label}</span>
        <span class="quiet">{words}</span>
      </div>
      <Bar label={label} value={value} max={max} said={words} tone={value >= max ? "good" : "info"} />
    </div>
  );
}
