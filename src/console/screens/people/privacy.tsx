/** A copy of a person's data, and its erasure (GDPR, articles 15, 17 and 20), with what the law keeps, before anybody decides. */
import { type Signal, useSignal } from "@preact/signals";
import type { Person } from "../../api/operations.ts";
import { download } from "../../app/download.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";

interface PrivacyProps {
  person: Person;
  isErasing: Signal<boolean>;
}

export function Privacy({ person, isErasing }: PrivacyProps) {
  const { person: words } = text();
  const path = { personId: person.id };
  const copy = () => download("GET /orgs/{orgId}/people/{personId}/export", { path, name: "person.zip" });
  return (
    <Section title={words.privacy}>
      <p class="quiet small">{words.privacyHint}</p>
      <div class="form-actions">
        <Button icon="download" busyText={words.exporting} onClick={copy}>
          {words.export}
        </Button>
        {may("people:manage") && (
          <Button
            kind="danger"
            onClick={() => {
              isErasing.value = true;
            }}
          >
            {words.erase}
          </Button>
        )}
      </div>
      {isErasing.value && (
        <Erasure
          person={person}
          onClose={() => {
            isErasing.value = false;
          }}
        />
      )}
    </Section>
  );
}

function Erasure({ person: { id, name }, onClose }: { person: Person; onClose: () => void }) {
  const { person: words } = text();
  const typed = useSignal("");
  const isWrong = useSignal(false);
  const erase = async () => {
    isWrong.value = typed.value.trim() !== name;
    if (isWrong.value) return;
    await call("POST /orgs/{orgId}/people/{personId}/erase", { path: { personId: id } });
    onClose();
    toast(words.erased);
    await changed("/");
  };
  return (
    <Dialog title={words.eraseTitle(name)} onClose={onClose} wide>
      <Form onSubmit={erase}>
        <div>
          <h3>{words.erases}</h3>
          <p>{words.erasesWhat}</p>
        </div>
        <div>
          <h3>{words.keeps}</h3>
          <p>{words.keepsWhat}</p>
        </div>
        <div>
          <h3>{words.refuses}</h3>
          <ul class="points">
            {words.refusesWhat.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
        <TextField name="confirmation" label={words.eraseConfirm} hint={name} value={typed} required />
        {isWrong.value && (
          <p class="fault" role="alert">
            {words.eraseMismatch}
          </p>
        )}
        <div class="form-actions">
          <Submit kind="danger" busyText={words.erasing}>
            {words.eraseSubmit}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}
