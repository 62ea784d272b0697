/** A subject of the theory exams. */
import { useSignal } from "@preact/signals";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import type { DraftSubject } from "./draft.ts";
import { faultAt } from "./fault-at.ts";
import { trainingText } from "./words.ts";

interface SubjectDialogProps {
  subject: DraftSubject;
  others: readonly DraftSubject[];
  onSet: (subject: DraftSubject) => void;
  onClose: () => void;
}

export function SubjectDialog({ subject, others, onSet, onClose }: SubjectDialogProps) {
  const words = trainingText();
  const name = useSignal(subject.name);
  const code = useSignal(subject.code);
  const set = async () => {
    const next = { ...subject, name: name.value.trim(), code: code.value.trim() };
    if (others.some((one) => one.code === next.code)) throw faultAt("code", words.theory.codeTaken);
    onSet(next);
  };
  return (
    <Dialog title={subject.name || words.theory.subject} onClose={onClose}>
      <Form onSubmit={set} isKept>
        <TextField name="name" label={words.name} value={name} maxLength={120} required autoFocus />
        <TextField name="code" label={words.code} hint={words.theory.codeHint} value={code} maxLength={40} required />
        <div class="form-actions">
          <Submit>{words.apply}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
