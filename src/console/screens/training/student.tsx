/** The training of one student: the syllabus as a map, the pace, what is missing, and all that is recorded. */
import { useEffect, useRef } from "preact/hooks";
import type { Enrollment, TrainingProgress, TrainingRevision } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { type Parameters, place } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Download } from "../../ui/download.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { Credits, EnrollmentFacts } from "./enrollment.tsx";
import { Exams } from "./exams.tsx";
import { GroundSessions } from "./ground-sessions.tsx";
import { mayRecordFor } from "./may-record.ts";
import { isMeter, Minima } from "./meters.tsx";
import { Missing } from "./missing.tsx";
import { Moves } from "./moves.tsx";
import { Pace } from "./pace.tsx";
import { Records } from "./records.tsx";
import { InstructorRestriction } from "./restriction.tsx";
import { Signoffs } from "./signoffs.tsx";
import { SoloFlights } from "./solo.tsx";
import { enrollmentTones } from "./standing.tsx";
import { SyllabusMap } from "./syllabus-map.tsx";
import { trainingText } from "./words.ts";

export default function StudentPage({ enrollmentId = "" }: Parameters) {
  const words = trainingText();
  const path = { enrollmentId };
  const found = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}", { path });
  const progress = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}/progress", { path });
  const enrollment = found.data?.data;
  const revision = useResource(enrollment && "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}", {
    path: { programId: enrollment?.program_id ?? "", revisionId: enrollment?.revision_id ?? "" },
  });
  const problem = found.problem ?? progress.problem ?? revision.problem;
  const retry = () => Promise.all([found.reload(), progress.reload(), revision.reload()]);
  if (problem !== undefined && !enrollment) return <ProblemNotice error={problem} retry={retry} />;
  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{enrollment?.student.name ?? <Skeleton lines={1} />}</h1>
            {enrollment && <Badges {...{ enrollment, progress: progress.data?.data }} />}
          </div>
          {enrollment && <About enrollment={enrollment} />}
        </div>
        {enrollment && (
          <div class="actions">
            <Download
              from="GET /orgs/{orgId}/training/enrollments/{enrollmentId}/file"
              path={path}
              as="pdf"
              name="training-file.pdf"
            >
              {words.trainingFile}
            </Download>
            <Moves enrollment={enrollment} progress={progress.data?.data} />
            {mayRecordFor(enrollment) && (
              <a class="button primary" href={`/app/training/${enrollmentId}/grade`}>
                <Icon name="check" />
                {words.gradeLesson}
              </a>
            )}
          </div>
        )}
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={retry} />}
      {enrollment && progress.data && revision.data ? (
        <Known {...{ enrollment, progress: progress.data.data, revision: revision.data.data }} />
      ) : (
        problem === undefined && <Skeleton lines={8} />
      )}
    </>
  );
}

interface KnownProps {
  enrollment: Enrollment;
  progress: TrainingProgress;
  revision: TrainingRevision;
}

function Known({ enrollment, progress, revision }: KnownProps) {
  const words = trainingText();
  const { student_id, program_id } = enrollment;
  const signoffs = useResource("GET /orgs/{orgId}/training/signoffs", {
    query: { student_id, program_id, limit: 500 },
  });
  const records = useResource("GET /orgs/{orgId}/training/lesson-records", {
    query: { enrollment_id: enrollment.id, limit: 200 },
  });
  const all = (signoffs.data?.data ?? []).filter(({ enrollment_id }) => enrollment_id === enrollment.id);
  const ofRecords = new Set((records.data?.data ?? []).flatMap(({ grades }) => grades.map((one) => one.signoff_id)));
  const { scales } = revision;
  const recorded = useRef<HTMLDivElement>(null);
  const isLoaded = signoffs.data !== undefined && records.data !== undefined;
  useEffect(() => {
    if (!isLoaded || place.value.query.get("show") !== "grades") return;
    // The first that the student has not signed: a lesson's, or else a single grade.
    const isInLesson = all.some(({ id, acknowledged_at }) => acknowledged_at === null && ofRecords.has(id));
    const heading = [...(recorded.current?.querySelectorAll<HTMLElement>("h2") ?? [])].at(isInLesson ? 0 : 1);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.closest("section")?.scrollIntoView();
  }, [isLoaded]);
  const minima = progress.minima.filter(isMeter);
  return (
    <div class="columns student">
      <div>
        <SyllabusMap {...{ enrollment, progress }} signoffs={all} />
      </div>
      <div>
        {progress.pace && <Pace pace={progress.pace} />}
        <Section title={words.minima}>
          {minima.length === 0 ? (
            <p class="quiet">{words.noMinima}</p>
          ) : (
            <div class="meters">
              <Minima minima={minima} />
            </div>
          )}
        </Section>
        <Missing progress={progress} minima={revision.minima} />
        <NextLessons progress={progress} />
        <Exams {...{ enrollment, progress, revision }} />
        <EnrollmentFacts enrollment={enrollment} />
        <Credits enrollment={enrollment} />
        <InstructorRestriction personId={student_id} />
      </div>
      <div ref={recorded}>
        <Records {...{ enrollment, scales }} />
        {records.data && <Signoffs {...{ enrollment, scales }} signoffs={all.filter(({ id }) => !ofRecords.has(id))} />}
        <GroundSessions {...{ enrollment, progress }} />
        <SoloFlights enrollment={enrollment} />
      </div>
    </div>
  );
}

function Badges({ enrollment, progress }: { enrollment: Enrollment; progress: TrainingProgress | undefined }) {
  const words = trainingText();
  const { person } = text();
  return (
    <>
      <Badge tone={enrollmentTones[enrollment.status]}>{person.enrollments[enrollment.status]}</Badge>
      {progress?.ready_for_test && <Badge tone="good">{person.readyForTest}</Badge>}
      {progress && progress.stalled_since !== null && (
        <Badge tone="bad">{words.stalledSince(formatDay(progress.stalled_since))}</Badge>
      )}
    </>
  );
}

function About({ enrollment }: { enrollment: Enrollment }) {
  const words = trainingText();
  const { person } = text();
  const { program, revision_number, started_on, ended_on, student_id, reason } = enrollment;
  return (
    <p class="quiet">
      {program.name} · {words.revision(revision_number)} ·{" "}
      {ended_on === null
        ? person.since(formatDay(started_on))
        : person.until(formatDay(started_on), formatDay(ended_on))}
      {may("people:read") && (
        <>
          {" · "}
          <a href={`/app/people/${student_id}`}>{words.toStudent}</a>
        </>
      )}
      {reason !== null && <span class="as-written"> · {reason}</span>}
    </p>
  );
}

function NextLessons({ progress: { next_lessons } }: { progress: TrainingProgress }) {
  const words = trainingText();
  return (
    <Section title={words.nextLessons}>
      <Rows
        label={words.nextLessons}
        empty={words.allDone}
        rows={next_lessons.map(({ id, code, name, kind, items }) => ({
          id,
          title: `${code} ${name}`,
          detail: [words.lessonKinds[kind], words.exercises(items.done, items.total)].join(" · "),
        }))}
      />
    </Section>
  );
}
