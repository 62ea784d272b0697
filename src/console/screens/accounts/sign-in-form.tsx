/** E-mail address and password, then the code of a second factor where there is one. */
import { useSignal } from "@preact/signals";
import type { MfaChallenge, TokenPair } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { text } from "../../app/language.ts";
import { call, tokens } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";

interface SignInFormProps {
  /** The account that signs in again. */
  email?: string;
  onTokens: (pair: TokenPair) => Promise<unknown>;
}

export function SignInForm({ email: known, onTokens }: SignInFormProps) {
  const { signIn } = text();
  const email = useSignal(known ?? "");
  const password = useSignal("");
  const code = useSignal("");
  const challenge = useSignal<MfaChallenge | undefined>(undefined);
  const wrong = useSignal(false);

  const logIn = async () => {
    wrong.value = false;
    try {
      const answer = await call("POST /auth/login", {
        body: { email: email.value, password: password.value, cookie: tokens.inCookie },
      });
      if ("mfa_required" in answer) challenge.value = answer;
      else await onTokens(answer);
    } catch (error) {
      // The server doesn't say which of the two is wrong.
      if (!(error instanceof Problem) || error.status !== 401 || error.reason !== undefined) throw error;
      wrong.value = true;
      password.value = "";
    }
  };

  const verify = async () => {
    if (!challenge.value) return;
    await onTokens(
      await call("POST /auth/mfa/verify", {
        body: { mfa_token: challenge.value.mfa_token, code: code.value.replace(/\s/g, "") },
      }),
    );
  };

  if (challenge.value)
    return (
      <Form key="code" onSubmit={verify}>
        <TextField
          name="code"
          label={signIn.code}
          hint={signIn.codeHint}
          value={code}
          autoComplete="one-time-code"
          required
          autoFocus
          spellcheck={false}
        />
        <div class="form-actions">
          <Submit busyText={signIn.verifying}>{signIn.verify}</Submit>
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
      {wrong.value && (
        <div class="notice bad" role="alert">
          {signIn.wrong}
        </div>
      )}
      <TextField
        name="email"
        label={signIn.email}
        value={email}
        type="email"
        autoComplete="username"
        required
        autoFocus={known === undefined}
      />
      <TextField
        name="password"
        label={signIn.password}
        value={password}
        type="password"
        autoComplete="current-password"
        required
        autoFocus={known !== undefined}
      />
      <div class="form-actions">
        <Submit busyText={signIn.submitting}>{signIn.submit}</Submit>
      </div>
    </Form>
  );
}
