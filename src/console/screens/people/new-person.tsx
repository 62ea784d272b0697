/** Adds a person with what is needed to name them in a flight. The rest is entered on their page. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { isType, types } from "./types.ts";

export function NewPerson({ onClose }: { onClose: () => void }) {
  const { people: words } = text();
  const name = useSignal("");
  const email = useSignal("");
  const type = useSignal("student");

  const add = async () => {
    const { data } = await call("POST /orgs/{orgId}/people", {
      body: {
        name: name.value,
        types: isType(type.value) ? [type.value] : [],
        ...(email.value !== "" && { email: email.value }),
      },
    });
    await changed("/people");
    toast(words.added(name.value));
    onClose();
    // The rest is entered there.
    go(`/app/people/${data.id}`);
  };

  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form onSubmit={add}>
        <TextField name="name" label={words.name} value={name} required autoFocus />
        <SelectField
          name="types"
          label={words.type}
          value={type}
          options={types.map((value) => ({ value, label: words.types[value] }))}
        />
        <TextField name="email" label={words.email} value={email} type="email" hint={words.emailHint} />
        <div class="form-actions">
          <Submit>{words.add}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
