import { useSignal } from "@preact/signals";
import { isLanguage, languageNames, languages, language as shownLanguage, speak, text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { call, me, reloadMe } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

export function Profile() {
  const { account: words, app, signIn } = text();
  const user = me.value?.user;
  const name = useSignal(user?.name ?? "");
  // What is read here at present is what one saves, unless one chooses another.
  const language = useSignal<string>(shownLanguage.value);
  if (!user) return null;
  const save = async () => {
    const chosen = isLanguage(language.value) ? language.value : user.language;
    await call("PATCH /auth/me", { body: { name: name.value, language: chosen } });
    await Promise.all([reloadMe(), speak(chosen)]);
    toast(text().account.saved);
  };
  return (
    <Panel title={words.profile} hint={words.profileHint}>
      <Form onSubmit={save}>
        <div class="fields">
          <TextField name="name" label={words.name} value={name} autoComplete="name" maxLength={120} required />
          <SelectField
            name="language"
            label={app.language}
            hint={words.languageHint}
            value={language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
          />
        </div>
        <div class="form-actions">
          <Submit>{text().actions.save}</Submit>
        </div>
      </Form>
      <div class="spread">
        <div>
          <div class="quiet small">{signIn.email}</div>
          {user.email}
        </div>
        {user.email_verified ? <Badge tone="good">{words.confirmed}</Badge> : <Unconfirmed />}
      </div>
    </Panel>
  );
}

function Unconfirmed() {
  const { account: words } = text();
  const { data } = useResource("GET /capabilities");
  const problem = useSignal<unknown>(undefined);
  const isSent = useSignal(false);
  const send = async () => {
    problem.value = undefined;
    try {
      await call("POST /auth/email/verification");
      isSent.value = true;
    } catch (error) {
      problem.value = error;
    }
  };
  return (
    <div class="form-actions">
      <Badge tone="warn">{words.unconfirmed}</Badge>
      {data?.data.mail === true && !isSent.value && <Button onClick={send}>{words.sendLink}</Button>}
      {isSent.value && <span role="status">{words.linkSent}</span>}
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
    </div>
  );
}
