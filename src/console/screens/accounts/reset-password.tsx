/** Sets a password with the token of a mail, or of the operator. Nobody is signed in by it: a second factor is still asked for. */
import { useSignal } from "@preact/signals";
import { arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { call, start } from "../../app/session.ts";
import { Form, PasswordField, Submit } from "../../ui/form.tsx";
import { Heading } from "./heading.tsx";
import { IncompleteLink } from "./incomplete-link.tsx";

export default function ResetPassword() {
  const { password: words, signUp } = text();
  const { token } = arrival.value;
  const password = useSignal("");
  const isDone = useSignal(false);
  const reset = async () => {
    if (token === undefined) return;
    await call("POST /auth/password/reset", { body: { token, password: password.value } });
    isDone.value = true;
    arrival.value = {};
    // All sessions of the account have ended, perhaps that of this browser.
    await start();
  };
  if (isDone.value)
    return (
      <>
        <Heading>{words.resetDone}</Heading>
        <p role="status">{words.resetDoneHint}</p>
        <a class="button primary" href="/app/sign-in">
          {words.toSignIn}
        </a>
      </>
    );
  if (token === undefined) return <IncompleteLink />;
  return (
    <>
      <Heading>{words.resetTitle}</Heading>
      <p class="quiet">{words.resetHint}</p>
      <Form onSubmit={reset}>
        <PasswordField
          name="password"
          label={words.new}
          hint={signUp.passwordHint}
          value={password}
          autoComplete="new-password"
          autoFocus
        />
        <div class="form-actions">
          <Submit>{words.set}</Submit>
        </div>
      </Form>
      <div class="links">
        <a href="/app/forgot-password">{words.another}</a>
      </div>
    </>
  );
}
