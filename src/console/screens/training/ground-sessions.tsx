/** Lessons on the ground: what was held when, for how long, and by whom. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingProgress } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call, organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReasonDialog } from "../flights/reason-dialog.tsx";
import { InstructorField } from "./instructor-field.tsx";
import { mayRecordFor } from "./may-record.ts";
import { trainingText } from "./words.ts";

interface GroundSessionsProps {
  enrollment: Enrollment;
  progress: TrainingProgress;
}

export function GroundSessions({ enrollment, progress }: GroundSessionsProps) {
  const words = trainingText();
  const isEntering = useSignal(false);
  const voiding = useSignal<string | undefined>(undefined);
  const close = () => {
    isEntering.value = false;
    voiding.value = undefined;
  };
  const sessions = useResource("GET /orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions", {
    path: { enrollmentId: enrollment.id },
    query: { limit: 200 },
  });
  const lessons = progress.lessons.filter(({ kind }) => kind === "ground");
  const held = sessions.data?.data ?? [];
  const mayRecord = mayRecordFor(enrollment);
  const session = held.find(({ id }) => id === voiding.value);
  if (held.length === 0 && (lessons.length === 0 || !mayRecord)) return null;
  return (
    <Section
      title={words.groundSessions}
      actions={
        mayRecord &&
        lessons.length > 0 && (
          <Button
            kind="plain"
            onClick={() => {
              isEntering.value = true;
            }}
          >
            {words.enterGroundSession}
          </Button>
        )
      }
    >
      <Rows
        label={words.groundSessions}
        empty={words.noGroundSessions}
        most={4}
        rows={held.map(({ id, lesson_name, held_on, minutes, instructor_name, instructor_id, remarks, status }) => ({
          id,
          title: lesson_name,
          detail: [formatDay(held_on), formatDuration(minutes), instructor_name, remarks].filter(Boolean).join(" · "),
          aside:
            status === "voided" ? (
              <Badge tone="neutral">{words.voided}</Badge>
            ) : (
              mayRecord &&
              (may("training:manage") || instructor_id === organization.value?.person_id) && (
                <Button
                  kind="plain"
                  onClick={() => {
                    voiding.value = id;
                  }}
                >
                  {words.void}
                  <span class="visually-hidden"> {lesson_name}</span>
                </Button>
              )
            ),
        }))}
      />
      {isEntering.value && <GroundSessionDialog {...{ enrollment, lessons }} onClose={close} />}
      {session && (
        <ReasonDialog
          title={words.voidTitle}
          hint={words.voidHint}
          action={words.void}
          onClose={close}
          onGive={async (reason) => {
            const path = { enrollmentId: enrollment.id, groundSessionId: session.id };
            await act(
              "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions/{groundSessionId}/void",
              { path, body: { reason } },
              session,
            );
            close();
            await changed("/training");
          }}
        />
      )}
    </Section>
  );
}

interface GroundSessionDialogProps {
  enrollment: Enrollment;
  lessons: TrainingProgress["lessons"];
  onClose: () => void;
}

function GroundSessionDialog({ enrollment, lessons, onClose }: GroundSessionDialogProps) {
  const words = trainingText();
  const lesson = useSignal(lessons.find(({ items }) => items.done < items.total)?.id ?? lessons[0]?.id ?? "");
  const heldOn = useSignal(today());
  const minutes = useSignal("45");
  const remarks = useSignal("");
  const instructor = useSignal("");
  const enter = async () => {
    await call("POST /orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions", {
      path: { enrollmentId: enrollment.id },
      body: {
        lesson_id: lesson.value,
        held_on: heldOn.value,
        minutes: Number(minutes.value),
        remarks: remarks.value.trim() === "" ? null : remarks.value,
        instructor_id:
          instructor.value === "" || instructor.value === organization.value?.person_id ? null : instructor.value,
      },
    });
    onClose();
    await changed("/training");
    toast(words.groundSessionEntered);
  };
  return (
    <Dialog title={words.enterGroundSession} onClose={onClose}>
      <Form onSubmit={enter}>
        <SelectField
          name="lesson_id"
          label={words.lesson}
          value={lesson}
          options={lessons.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` }))}
        />
        <div class="fields close">
          <TextField name="held_on" label={words.heldOn} type="date" value={heldOn} max={today()} required />
          <TextField
            name="minutes"
            label={words.minutes}
            type="number"
            inputMode="numeric"
            min="1"
            max="1440"
            value={minutes}
            required
          />
        </div>
        {may("training:manage") && <InstructorField value={instructor} flight={undefined} />}
        <TextField name="remarks" label={words.remarks} value={remarks} maxLength={2000} multiline />
        <div class="form-actions">
          <Submit>{words.enterGroundSession}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
