/** The whole school as one file, which another installation takes in. Only owners see it. */
import { useSignal } from "@preact/signals";
import { fetchFile } from "../../app/download.ts";
import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, PasswordField, Submit } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";

export function ExportSchool() {
  const { settings: words } = text();
  const isOpen = useSignal(false);
  return (
    <Panel title={words.export} hint={words.exportHint}>
      <div class="form-actions">
        <Button
          icon="download"
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {words.exportSchool}
        </Button>
      </div>
      {isOpen.value && (
        <ExportDialog
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </Panel>
  );
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const { settings: words } = text();
  const passphrase = useSignal("");
  const save = async () => {
    await fetchFile("POST /orgs/{orgId}/export", { body: { passphrase: passphrase.value }, name: "school.age" });
    onClose();
    toast(words.exported);
  };
  return (
    <Dialog title={words.exportSchool} onClose={onClose}>
      <Form onSubmit={save}>
        <p>{words.exportWhat}</p>
        <PasswordField
          name="passphrase"
          label={words.passphrase}
          hint={words.passphraseHint}
          value={passphrase}
          autoComplete="new-password"
          autoFocus
        />
        <div class="form-actions">
          <Submit busyText={words.exporting}>{words.exportSchool}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
