/** Asks for a fresh code, while the request that needs it waits. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { call, stepUp } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { CodeField } from "./code-field.tsx";

export function StepUp() {
  const { signIn, stepUp: words } = text();
  const code = useSignal("");
  return (
    <Dialog title={words.title} onClose={() => stepUp.answer(false)}>
      <p>{words.hint}</p>
      <Form
        onSubmit={async () => {
          await call("POST /auth/mfa/step", { body: { code: code.value.trim() } });
          stepUp.answer(true);
        }}
      >
        <CodeField value={code} />
        <div class="form-actions">
          <Submit busyText={signIn.verifying}>{words.submit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
