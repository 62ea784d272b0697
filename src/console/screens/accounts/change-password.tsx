import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changedAccount } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Form, PasswordField, Submit } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";

export function ChangePassword() {
  const { account: words, password: passwords, signUp } = text();
  const current = useSignal("");
  const next = useSignal("");
  const change = async () => {
    await call("POST /auth/password", { body: { current_password: current.value, new_password: next.value } });
    current.value = "";
    next.value = "";
    toast(words.passwordChanged);
    await changedAccount("/auth/sessions");
  };
  return (
    <Panel title={words.password} hint={words.passwordHint}>
      <Form onSubmit={change} label={words.password}>
        <div class="fields">
          <PasswordField
            name="current_password"
            label={words.currentPassword}
            value={current}
            autoComplete="current-password"
          />
          <PasswordField
            name="new_password"
            label={passwords.new}
            hint={signUp.passwordHint}
            value={next}
            autoComplete="new-password"
          />
        </div>
        <div class="form-actions">
          <Submit>{words.changePassword}</Submit>
        </div>
      </Form>
    </Panel>
  );
}
