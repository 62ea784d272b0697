/** The records of the lessons of a training: what the student reads and signs, and what is said among instructors. */
import { useSignal } from "@preact/signals";
import type { Enrollment, LessonRecord, TrainingRevision } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { formatDate, formatDateTime } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReasonDialog } from "../flights/reason-dialog.tsx";
import { HandOver } from "./hand-over.tsx";
import { isOwn, mayRecordFor } from "./may-record.ts";
import { Grades, Said } from "./record-parts.tsx";
import { trainingText } from "./words.ts";

interface RecordsProps {
  enrollment: Enrollment;
  scales: TrainingRevision["scales"];
}

export function Records({ enrollment, scales }: RecordsProps) {
  const words = trainingText();
  const records = useResource("GET /orgs/{orgId}/training/lesson-records", {
    query: { enrollment_id: enrollment.id, limit: 200 },
  });
  const handing = useSignal<LessonRecord | undefined>(undefined);
  const voiding = useSignal<LessonRecord | undefined>(undefined);
  return (
    <Section title={words.records}>
      <Loaded resource={records}>
        {({ data }) => (
          <div class="lesson-records">
            <Rows
              label={words.records}
              empty={words.noRecords}
              most={4}
              rows={data.map((record) => ({
                id: record.id,
                title: `${record.lesson.code} ${record.lesson.name}`,
                detail: <Detail {...{ record, scales }} />,
                aside: (
                  <Aside
                    {...{ record, enrollment }}
                    onHandOver={() => {
                      handing.value = record;
                    }}
                    onVoid={() => {
                      voiding.value = record;
                    }}
                  />
                ),
              }))}
            />
          </div>
        )}
      </Loaded>
      {handing.value && (
        <HandOver
          record={handing.value}
          scales={scales}
          onEnd={() => {
            handing.value = undefined;
          }}
        />
      )}
      {voiding.value && (
        <VoidRecord
          record={voiding.value}
          onClose={() => {
            voiding.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function Detail({ record, scales }: { record: LessonRecord; scales: TrainingRevision["scales"] }) {
  const words = trainingText();
  const { remarks, instructor_notes: notes, void_reason } = record;
  return (
    <span class="stack">
      <span>{words.gradedBy(formatDate(record.signed_at), record.instructor_name)}</span>
      <Grades grades={record.grades} scales={scales} />
      {remarks !== null && <Said by={words.forStudent}>{remarks}</Said>}
      {notes !== null && (
        <Said by={words.amongInstructors} isAmong>
          {notes}
        </Said>
      )}
      {void_reason !== null && <Said by={words.voided}>{void_reason}</Said>}
    </span>
  );
}

interface AsideProps {
  record: LessonRecord;
  enrollment: Enrollment;
  onHandOver: () => void;
  onVoid: () => void;
}

function Aside({ record, enrollment, onHandOver, onVoid }: AsideProps) {
  const words = trainingText();
  if (record.status === "voided") return <Badge tone="neutral">{words.voided}</Badge>;
  const name = <span class="visually-hidden"> {record.lesson.code}</span>;
  const sign = () =>
    act(
      "POST /orgs/{orgId}/training/lesson-records/{lessonRecordId}/acknowledge",
      { path: { lessonRecordId: record.id } },
      record,
    ).then(async () => {
      await changed("/training", "/today");
      toast(words.signed);
    }, failed);
  const voids = may("training:manage") || record.instructor_id === organization.value?.person_id;
  return (
    <>
      {record.acknowledged_at === null ? (
        <>
          <Badge tone="warn">{words.unsigned}</Badge>
          {isOwn(enrollment) && (
            <Button kind="primary" onClick={sign}>
              {words.sign}
              {name}
            </Button>
          )}
          {mayRecordFor(enrollment) && (
            <Button onClick={onHandOver}>
              {words.signHere}
              {name}
            </Button>
          )}
        </>
      ) : (
        <Badge tone="good">{words.signedOn(formatDateTime(record.acknowledged_at))}</Badge>
      )}
      {mayRecordFor(enrollment) && voids && (
        <Button kind="plain" onClick={onVoid}>
          {words.void}
          {name}
        </Button>
      )}
    </>
  );
}

function VoidRecord({ record, onClose }: { record: LessonRecord; onClose: () => void }) {
  const words = trainingText();
  return (
    <ReasonDialog
      title={words.voidTitle}
      hint={words.voidHint}
      action={words.void}
      onClose={onClose}
      onGive={async (reason) => {
        const path = { lessonRecordId: record.id };
        await act(
          "POST /orgs/{orgId}/training/lesson-records/{lessonRecordId}/void",
          { path, body: { reason } },
          record,
        );
        onClose();
        await changed("/training");
      }}
    />
  );
}
