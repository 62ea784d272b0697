/** What a student signs at once: all grades stand there to be read, and each is signed for itself. */
import type { TrainingRevision, TrainingSignoff } from "../../api/operations.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { toast } from "../../ui/toast.tsx";
import { signoffRow } from "./record-parts.tsx";
import { trainingText } from "./words.ts";

interface SignAllProps {
  signoffs: readonly TrainingSignoff[];
  scales: TrainingRevision["scales"];
  onClose: () => void;
}

export function SignAll({ signoffs, scales, onClose }: SignAllProps) {
  const words = trainingText();
  const sign = async () => {
    try {
      for (const { id } of signoffs)
        await call("POST /orgs/{orgId}/training/signoffs/{signoffId}/acknowledge", { path: { signoffId: id } });
    } finally {
      // After a fault, those that are left are shown.
      await changed("/training", "/today");
    }
    onClose();
    toast(words.allSigned(signoffs.length));
  };
  return (
    <Dialog title={words.signAllTitle} onClose={onClose} wide>
      <Form onSubmit={sign}>
        <Rows
          label={words.signAllTitle}
          empty=""
          most={signoffs.length}
          rows={signoffs.map((signoff) => signoffRow(signoff, scales))}
        />
        <div class="form-actions">
          <Submit busyText={words.signing}>{words.signAll(signoffs.length)}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
