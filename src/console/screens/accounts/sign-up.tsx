/** Sets up a school: its first account is its owner's. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { go } from "../../app/router.ts";
import { begin, call, tokens } from "../../app/session.ts";
import { ownZone, timeZones } from "../../app/time-zones.ts";
import { Form, PasswordField, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Heading } from "./heading.tsx";

/** @param isFirst whether the installation is empty: then nobody has an account */
export default function SignUp({ isFirst = false }: { isFirst?: boolean }) {
  const { signUp, signIn } = text();
  const school = useSignal("");
  const kind = useSignal("ato");
  const zone = useSignal(ownZone);
  const name = useSignal("");
  const email = useSignal("");
  const password = useSignal("");

  const create = async () => {
    const { data } = await call("POST /auth/signup-org", {
      body: {
        ...{ name: name.value, email: email.value, password: password.value, cookie: tokens.inCookie },
        organization: { name: school.value, kind: kind.value as "ato" | "dto" | "club", time_zone: zone.value },
      },
    });
    await begin(data.tokens);
    go("/app", { replace: true });
  };

  return (
    <>
      <Heading>{isFirst ? signUp.firstTitle : signUp.title}</Heading>
      <p class="quiet">{isFirst ? signUp.firstHint : signUp.hint}</p>
      <Form onSubmit={create}>
        <TextField
          name="organization.name"
          label={signUp.schoolName}
          value={school}
          autoComplete="organization"
          required
          autoFocus
        />
        <SelectField
          name="organization.kind"
          label={signUp.kind}
          value={kind}
          options={[
            { value: "ato", label: signUp.kinds.ato },
            { value: "dto", label: signUp.kinds.dto },
            { value: "club", label: signUp.kinds.club },
          ]}
        />
        <SelectField name="organization.time_zone" label={signUp.timezone} value={zone} options={timeZones(ownZone)} />
        <TextField name="name" label={signUp.name} value={name} autoComplete="name" required />
        <TextField name="email" label={signUp.email} value={email} type="email" autoComplete="username" required />
        <PasswordField
          name="password"
          label={signUp.password}
          hint={signUp.passwordHint}
          value={password}
          autoComplete="new-password"
        />
        <div class="form-actions">
          <Submit busyText={signUp.submitting}>{signUp.submit}</Submit>
        </div>
      </Form>
      {!isFirst && (
        <div class="links">
          <a href="/app/sign-in">{signIn.haveAccount}</a>
        </div>
      )}
    </>
  );
}
