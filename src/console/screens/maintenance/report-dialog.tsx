/** Reports a defect, also with a photo. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Defect } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { CheckField, Form, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { accepted, attachToDefect } from "./files.tsx";

export function ReportDialog({ aircraftId, onClose }: { aircraftId: string; onClose: () => void }) {
  const { aircraft: words } = text();
  const description = useSignal("");
  const grounding = useSignal(false);
  const photo = useSignal<File | undefined>(undefined);
  // A report whose photo failed is not sent again.
  const reported = useRef<Defect>(undefined);
  const send = async () => {
    const path = { aircraftId };
    const body = { description: description.value, grounding: grounding.value };
    reported.current ??= (await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects", { path, body })).data;
    await changed("/aircraft", "/maintenance");
    if (photo.value) await attachToDefect({ aircraftId, defectId: reported.current.id }, photo.value);
    toast(words.reported);
    onClose();
  };
  return (
    <Dialog title={words.reportTitle} onClose={onClose}>
      <Form onSubmit={send}>
        <TextField name="description" label={words.description} value={description} required multiline autoFocus />
        <FileField label={words.photo} value={photo} accept={accepted} />
        <CheckField name="grounding" label={words.mustNotFly} value={grounding} />
        <p class="quiet small">{words.mustNotFlyHint}</p>
        <div class="form-actions">
          <Submit>{words.reportSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
