/** Enters a theory exam or the skill test. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingRevision } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { trainingText } from "./words.ts";

interface ExamDialogProps {
  enrollment: Enrollment;
  revision: TrainingRevision;
  onClose: () => void;
}

const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed);
const numberOr = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));

export function ExamDialog({ enrollment, revision, onClose }: ExamDialogProps) {
  const words = trainingText();
  const { theory, subjects, skill_test } = revision;
  const kind = useSignal<string>(theory === null ? "skill_test" : "theory");
  const subject = useSignal(subjects[0]?.code ?? "");
  const sitting = useSignal("");
  const takenOn = useSignal(today());
  const percent = useSignal("");
  const result = useSignal("passed");
  const examiner = useSignal("");
  const remarks = useSignal("");
  const isTheory = kind.value === "theory";
  const enter = async () => {
    await call("POST /orgs/{orgId}/training/enrollments/{enrollmentId}/exams", {
      path: { enrollmentId: enrollment.id },
      body: {
        ...(isTheory
          ? {
              kind: "theory" as const,
              subject: subject.value,
              sitting: numberOr(sitting.value),
              percent: numberOr(percent.value),
            }
          : { kind: "skill_test" as const, passed: result.value === "passed" }),
        taken_on: takenOn.value,
        examiner: orNull(examiner.value),
        remarks: orNull(remarks.value),
      },
    });
    onClose();
    await changed("/training");
    toast(words.examEntered);
  };
  const kinds = [
    ...(theory === null ? [] : [{ value: "theory", label: words.theoryExam }]),
    ...(skill_test ? [{ value: "skill_test", label: words.missingKinds.skill_test }] : []),
  ];
  return (
    <Dialog title={words.enterExam} onClose={onClose}>
      <Form onSubmit={enter}>
        {kinds.length > 1 && <SelectField name="kind" label={words.examKind} value={kind} options={kinds} />}
        {isTheory && (
          <SelectField
            name="subject"
            label={words.subject}
            value={subject}
            options={subjects.map(({ code, name }) => ({ value: code, label: name }))}
          />
        )}
        <div class="fields close">
          <TextField name="taken_on" label={words.takenOn} type="date" value={takenOn} max={today()} required />
          {isTheory ? (
            <TextField
              name="percent"
              label={words.percent}
              hint={theory ? words.passPercent(theory.pass_percent) : undefined}
              type="number"
              inputMode="numeric"
              min="0"
              max="100"
              value={percent}
              required
            />
          ) : (
            <SelectField
              name="passed"
              label={words.result}
              value={result}
              options={[
                { value: "passed", label: words.passed },
                { value: "failed", label: words.failed },
              ]}
            />
          )}
          {isTheory && (
            <TextField
              name="sitting"
              label={words.sitting}
              type="number"
              inputMode="numeric"
              min="1"
              max="100"
              value={sitting}
              required={theory?.sittings != null}
            />
          )}
        </div>
        <TextField name="examiner" label={words.examiner} value={examiner} maxLength={120} />
        <TextField name="remarks" label={words.remarks} value={remarks} maxLength={2000} multiline />
        <div class="form-actions">
          <Submit>{words.enterExam}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
