/** Asks why a flight is rejected or reversed. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";

interface ReasonDialogProps {
  title: string;
  hint: string;
  action: string;
  /** What it throws is shown in the dialog. */
  onGive: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

export function ReasonDialog({ title, hint, action, onGive, onClose }: ReasonDialogProps) {
  const reason = useSignal("");
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="quiet">{hint}</p>
      <Form onSubmit={() => onGive(reason.value)}>
        <TextField
          name="reason"
          label={text().flights.reason}
          value={reason}
          required
          maxLength={1000}
          multiline
          autoFocus
        />
        <div class="form-actions">
          <Submit>{action}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
