/** Theory exams by subject, until when the set must be complete and is valid, and all that was recorded. */
import { useSignal } from "@preact/signals";
import type { Enrollment, Exam, TrainingProgress, TrainingRevision } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay, formatPercent } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { ReasonDialog } from "../flights/reason-dialog.tsx";
import { ExamDialog } from "./exam-dialog.tsx";
import { mayRecordFor } from "./may-record.ts";
import { trainingText } from "./words.ts";

interface ExamsProps {
  enrollment: Enrollment;
  progress: TrainingProgress;
  revision: TrainingRevision;
}

export function Exams({ enrollment, progress, revision }: ExamsProps) {
  const words = trainingText();
  const { theory } = progress;
  const isEntering = useSignal(false);
  const exams = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}/exams", {
    path: { enrollmentId: enrollment.id },
    query: { limit: 200 },
  });
  const nameOf = (code: string | null) => revision.subjects.find((one) => one.code === code)?.name ?? code ?? "";
  if (theory === null && !revision.skill_test) return null;
  return (
    <Section
      title={words.exams}
      actions={
        mayRecordFor(enrollment) && (
          <Button
            kind="plain"
            onClick={() => {
              isEntering.value = true;
            }}
          >
            {words.enterExam}
          </Button>
        )
      }
    >
      {theory && (
        <div class="form short-rows">
          <Rows
            label={words.subjects}
            empty=""
            most={12}
            rows={theory.subjects.map(({ code, attempts, passed_on }) => ({
              id: code,
              title: nameOf(code),
              aside:
                passed_on !== null ? (
                  <Badge tone="good">{formatDay(passed_on)}</Badge>
                ) : attempts > 0 ? (
                  <Badge tone="bad">{words.attempts(attempts)}</Badge>
                ) : (
                  <span class="quiet small">{words.states.open}</span>
                ),
            }))}
          />
          <Facts
            facts={[
              { label: words.completeBy, value: theory.complete_by && <Until day={theory.complete_by} /> },
              { label: words.validUntil, value: theory.valid_until && <Until day={theory.valid_until} /> },
            ]}
          />
        </div>
      )}
      <Loaded resource={exams} lines={1}>
        {({ data }) =>
          data.length > 0 && (
            <details>
              <summary>{words.allExams(data.length)}</summary>
              <Rows
                label={words.exams}
                empty=""
                rows={data.map((exam) => ({
                  id: exam.id,
                  title: exam.kind === "skill_test" ? words.missingKinds.skill_test : nameOf(exam.subject),
                  detail: [
                    formatDay(exam.taken_on),
                    exam.percent !== null && formatPercent(exam.percent),
                    exam.examiner,
                    exam.remarks,
                    exam.void_reason,
                  ]
                    .filter(Boolean)
                    .join(" · "),
                  aside: <Result {...{ exam, enrollment }} />,
                }))}
              />
            </details>
          )
        }
      </Loaded>
      {isEntering.value && (
        <ExamDialog
          {...{ enrollment, progress, revision }}
          onClose={() => {
            isEntering.value = false;
          }}
        />
      )}
    </Section>
  );
}

/** A last day; with its state, where that is near or over. */
function Until({ day }: { day: string }) {
  const words = trainingText();
  const left = daysUntil(day);
  return (
    <>
      {formatDay(day)}{" "}
      {left < 0 ? (
        <Badge tone="bad">{words.isOver}</Badge>
      ) : (
        left <= 90 && <Badge tone="warn">{words.daysLeft(left)}</Badge>
      )}
    </>
  );
}

function Result({ exam, enrollment }: { exam: Exam; enrollment: Enrollment }) {
  const words = trainingText();
  const isVoiding = useSignal(false);
  const set = (open: boolean) => {
    isVoiding.value = open;
  };
  if (exam.status === "voided") return <Badge tone="neutral">{words.voided}</Badge>;
  return (
    <>
      <Badge tone={exam.passed ? "good" : "bad"}>{exam.passed ? words.passed : words.failed}</Badge>
      {mayRecordFor(enrollment) && may("training:manage") && (
        <Button kind="plain" onClick={() => set(true)}>
          {words.void}
        </Button>
      )}
      {isVoiding.value && (
        <ReasonDialog
          title={words.voidTitle}
          hint={words.voidHint}
          action={words.void}
          onClose={() => set(false)}
          onGive={async (reason) => {
            const path = { enrollmentId: enrollment.id, examId: exam.id };
            await act(
              "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/exams/{examId}/void",
              { path, body: { reason } },
              exam,
            );
            set(false);
            await changed("/training");
          }}
        />
      )}
    </>
  );
}
