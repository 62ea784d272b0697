/** Asks for a link that sets a new password. The answer is the same whether the address has an account or not. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { Heading } from "./heading.tsx";

export default function ForgotPassword() {
  const { password: words, signIn } = text();
  const { data } = useResource("GET /capabilities");
  const email = useSignal("");
  const isSent = useSignal(false);
  const send = async () => {
    await call("POST /auth/password/forgot", { body: { email: email.value } });
    isSent.value = true;
  };
  const back = (
    <div class="links">
      <a href="/app/sign-in">{words.backToSignIn}</a>
    </div>
  );
  if (data?.data.mail === false)
    return (
      <>
        <Heading>{words.forgotTitle}</Heading>
        <p>{words.noMail}</p>
        {back}
      </>
    );
  if (isSent.value)
    return (
      <>
        <Heading>{words.sentTitle}</Heading>
        <p role="status">{words.sent(email.value)}</p>
        {back}
      </>
    );
  return (
    <>
      <Heading>{words.forgotTitle}</Heading>
      <p class="quiet">{words.forgotHint}</p>
      <Form onSubmit={send}>
        <TextField
          name="email"
          label={signIn.email}
          value={email}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <div class="form-actions">
          <Submit busyText={words.sending}>{words.send}</Submit>
        </div>
      </Form>
      {back}
    </>
  );
}
