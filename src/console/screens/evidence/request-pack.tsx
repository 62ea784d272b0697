/** Requests a pack of a pilot, or of the school on a past day. */
import { useSignal } from "@preact/signals";
import { today } from "../../app/days.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { usePeople } from "../people/use-people.ts";
import { evidenceText } from "./words.ts";

export function RequestPack({ onClose }: { onClose: () => void }) {
  const words = evidenceText();
  const { people: names } = text();
  const type = useSignal("pilot_portable");
  const person = useSignal("");
  const day = useSignal(today());
  const searched = useSignal("");
  const { people } = usePeople(searched.value);
  const request = async () => {
    const body =
      type.value === "pilot_portable"
        ? { type: "pilot_portable" as const, person_id: person.value }
        : { type: "compliance_pack" as const, as_of: day.value };
    const { data } = await call("POST /orgs/{orgId}/evidence-packs", { body });
    onClose();
    await changed("/evidence-packs");
    go(`/app/evidence/${data.id}`);
  };
  return (
    <Dialog title={words.requestTitle} onClose={onClose}>
      <Form onSubmit={request}>
        <SelectField
          name="type"
          label={words.of}
          value={type}
          options={[
            { value: "pilot_portable", label: words.ofPerson },
            { value: "compliance_pack", label: words.ofSchool },
          ]}
        />
        {type.value === "pilot_portable" ? (
          <Combobox
            name="person_id"
            label={words.person}
            hint={words.about.pilot_portable}
            value={person}
            options={people.map(({ id, name, types }) => ({
              value: id,
              label: name,
              detail: types.map((one) => names.types[one]).join(", "),
            }))}
            onType={(typed) => {
              searched.value = typed;
            }}
            required
          />
        ) : (
          <TextField
            name="as_of"
            label={words.day}
            hint={words.dayHint}
            type="date"
            value={day}
            max={today()}
            required
          />
        )}
        <div class="form-actions">
          <Submit busyText={words.auditing}>{words.request}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
