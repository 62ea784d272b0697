/**
 * Confirms the e-mail address of an account. Somebody who is not signed in to it says its password; another password takes the account
 * over, which the page says before: the owner of the mailbox may not be the one who created the account.
 */
import { useSignal } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { go } from "../../app/router.ts";
import { call, me, start } from "../../app/session.ts";
import { Form, PasswordField, Submit } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { Heading } from "./heading.tsx";
import { IncompleteLink } from "./incomplete-link.tsx";

export default function VerifyEmail() {
  const { verify: words, password: passwords } = text();
  const { token } = arrival.value;
  const password = useSignal("");
  const isForOther = useSignal(false);
  const isDone = useSignal(false);

  const verify = async () => {
    if (token === undefined) return;
    const byPassword = me.value === undefined || isForOther.value;
    try {
      await call("POST /auth/email/verify", { body: { token, ...(byPassword && { password: password.value }) } });
    } catch (error) {
      if (byPassword || !(error instanceof Problem) || error.issues.length === 0) throw error;
      isForOther.value = true;
      return;
    }
    isDone.value = true;
    arrival.value = {};
    // A take-over ends the sessions of the account, perhaps that of this browser.
    await start();
    if (!byPassword) {
      toast(words.done);
      go("/app", { replace: true });
    }
  };

  if (isDone.value)
    return (
      <>
        <Heading>{words.done}</Heading>
        <p role="status">{words.doneHint}</p>
        <a class="button primary" href="/app/sign-in">
          {me.value ? words.onward : passwords.toSignIn}
        </a>
      </>
    );
  if (token === undefined) return <IncompleteLink />;
  const account = isForOther.value ? undefined : me.value;
  return (
    <>
      <Heading>{words.title}</Heading>
      {isForOther.value && (
        <p class="notice warn" role="alert">
          {words.forOther}
        </p>
      )}
      <p class="quiet">{account ? words.signedInAs(account.user.email) : words.byPassword}</p>
      <Form key={account ? "session" : "password"} onSubmit={verify}>
        {!account && (
          <>
            <PasswordField
              name="password"
              label={words.password}
              value={password}
              autoComplete="current-password"
              autoFocus
            />
            <p class="quiet small">{words.takeOver}</p>
          </>
        )}
        <div class="form-actions">
          <Submit>{words.submit}</Submit>
        </div>
      </Form>
    </>
  );
}
