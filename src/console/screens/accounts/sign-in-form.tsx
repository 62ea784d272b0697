/** E-mail address and password, then the code of a second factor where there is one. */
import { useSignal } from "@preact/signals";
import type { Client } from "../../api/client.ts";
import type { TokenPair } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { type Arrival, arrival } from "../../app/arrival.ts";
import { text } from "../../app/language.ts";
import { client as own, tokens } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, PasswordField, Submit, TextField } from "../../ui/form.tsx";
import { CodeField } from "./code-field.tsx";

interface SignInFormProps {
  /** The account that signs in again, or that an invite is for. */
  email?: string;
  onTokens: (pair: TokenPair) => Promise<unknown>;
  /** For a session beside the one of this browser, which stays as it is. */
  client?: Client;
  /** What the button says, if not that one signs in. */
  submit?: string;
  /** What is above it is read first: no field asks for the focus, which on a phone would bring its keyboard. */
  isReadFirst?: boolean;
}

export function SignInForm({ email: known, onTokens, client, submit, isReadFirst = false }: SignInFormProps) {
  const { signIn, errors } = text();
  const { call } = client ?? own;
  const { mfa_token: brought, error: refusal }: Arrival = client === undefined ? arrival.value : {};
  const email = useSignal(known ?? "");
  const password = useSignal("");
  const code = useSignal("");
  const challenge = useSignal(brought);
  const fault = useSignal(refusal === undefined ? "" : (errors.reasons[refusal] ?? signIn.providerFailed));

  const logIn = async () => {
    fault.value = "";
    try {
      const answer = await call("POST /auth/login", {
        body: { email: email.value, password: password.value, cookie: client === undefined && tokens.inCookie },
      });
      if ("mfa_required" in answer) challenge.value = answer.mfa_token;
      else await onTokens(answer);
    } catch (error) {
      // The server doesn't say which of the two is wrong.
      if (!(error instanceof Problem) || error.status !== 401 || error.reason !== undefined) throw error;
      fault.value = signIn.wrong;
      password.value = "";
    }
  };

  const verify = async () => {
    if (challenge.value === undefined) return;
    await onTokens(
      await call("POST /auth/mfa/verify", { body: { mfa_token: challenge.value, code: code.value.trim() } }),
    );
  };

  if (challenge.value !== undefined)
    return (
      <Form key="code" onSubmit={verify}>
        <CodeField value={code} />
        <div class="form-actions">
          <Submit busyText={signIn.verifying}>{submit ?? signIn.verify}</Submit>
          <Button
            kind="plain"
            onClick={() => {
              challenge.value = undefined;
              code.value = "";
            }}
          >
            {signIn.startOver}
          </Button>
        </div>
      </Form>
    );
  return (
    <Form key="password" onSubmit={logIn}>
      {fault.value !== "" && (
        <div class="notice bad" role="alert">
          {fault.value}
        </div>
      )}
      <TextField
        name="email"
        label={signIn.email}
        value={email}
        type="email"
        autoComplete="username"
        required
        autoFocus={!isReadFirst && known === undefined}
      />
      <PasswordField
        name="password"
        label={signIn.password}
        value={password}
        autoComplete="current-password"
        autoFocus={!isReadFirst && known !== undefined}
      />
      <div class="form-actions">
        <Submit busyText={signIn.submitting}>{submit ?? signIn.submit}</Submit>
      </div>
    </Form>
  );
}
