/** Enters theory exams, also those of a sitting one after the other, or the skill test. */
import { useSignal } from "@preact/signals";
import type { Enrollment, TrainingProgress, TrainingRevision } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { missingName } from "./missing-name.ts";
import { trainingText } from "./words.ts";

interface ExamDialogProps {
  enrollment: Enrollment;
  progress: TrainingProgress;
  revision: TrainingRevision;
  onClose: () => void;
}

const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed);
const numberOr = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));

export function ExamDialog({ enrollment, progress, revision, onClose }: ExamDialogProps) {
  const words = trainingText();
  const { theory, subjects, skill_test } = revision;
  const kind = useSignal<string>(theory === null ? "skill_test" : "theory");
  const entered = useSignal<readonly string[]>([]);
  const isOpen = ({ code }: { code: string }) =>
    !entered.value.includes(code) && !progress.theory?.subjects.some((one) => one.code === code && one.passed_on);
  const subject = useSignal((subjects.find(isOpen) ?? subjects[0])?.code ?? "");
  const goesOn = useSignal(false);
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
    if (isTheory) entered.value = [...entered.value, subject.value];
    const next = isTheory && goesOn.value ? subjects.find(isOpen) : undefined;
    if (next === undefined) onClose();
    else {
      percent.value = "";
      remarks.value = "";
      subject.value = next.code;
    }
    await changed("/training");
    toast(words.examEntered);
  };
  const lacks = progress.missing.filter((what) => what !== "skill_test" && what !== "age");
  const kinds = [
    ...(theory === null ? [] : [{ value: "theory", label: words.theoryExam }]),
    ...(skill_test ? [{ value: "skill_test", label: words.missingKinds.skill_test }] : []),
  ];
  return (
    <Dialog title={words.enterExam} onClose={onClose}>
      <Form onSubmit={enter}>
        {kinds.length > 1 && <SelectField name="kind" label={words.examKind} value={kind} options={kinds} />}
        {!isTheory && lacks.length > 0 && (
          <p class="notice warn">{words.missingBeforeTest(lacks.map(missingName).join(", "))}</p>
        )}
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
              key={entered.value.length}
              name="percent"
              label={words.percent}
              hint={theory ? words.passPercent(theory.pass_percent) : undefined}
              type="number"
              inputMode="numeric"
              min="0"
              max="100"
              value={percent}
              autoFocus={entered.value.length > 0}
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
        {isTheory && subjects.length > 1 && <CheckField name="goes_on" label={words.nextSubject} value={goesOn} />}
        <div class="form-actions">
          <Submit>{words.enterExam}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
