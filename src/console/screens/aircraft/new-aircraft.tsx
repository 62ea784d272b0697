/** Adds an aircraft with the readings of its counters. The rest is entered on its page, which opens. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { classes, isClass } from "./classes.ts";
import { readDuration } from "./counters.tsx";

const hours = "[0-9]+([.,][0-9]{1,2})?";

export function NewAircraft({ onClose }: { onClose: () => void }) {
  const { aircraft: words } = text();
  const registration = useSignal("");
  const model = useSignal("");
  const icaoType = useSignal("");
  const kind = useSignal("SEP");
  const hobbs = useSignal("");
  const tacho = useSignal("");
  const airframe = useSignal("");
  const landings = useSignal("");

  const add = async () => {
    const { data } = await call("POST /orgs/{orgId}/aircraft", {
      body: {
        registration: registration.value,
        model: model.value,
        class: isClass(kind.value) ? kind.value : "other",
        ...(icaoType.value !== "" && { icao_type: icaoType.value.toUpperCase() }),
        ...(hobbs.value !== "" && { hobbs: Number(hobbs.value.replace(",", ".")).toFixed(2) }),
        ...(tacho.value !== "" && { tacho: Number(tacho.value.replace(",", ".")).toFixed(2) }),
        ...(airframe.value !== "" && { airframe_minutes: readDuration(airframe.value) }),
        ...(landings.value !== "" && { landings: Number(landings.value) }),
      },
    });
    await changed("/aircraft");
    toast(words.added(data.registration));
    onClose();
    go(`/app/aircraft/${data.id}`);
  };

  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form onSubmit={add}>
        <div class="fields">
          <TextField
            name="registration"
            label={words.registration}
            value={registration}
            placeholder="D-EABC"
            required
            autoFocus
          />
          <TextField name="model" label={words.model} value={model} placeholder="Cessna 172S" required />
          <SelectField
            name="class"
            label={words.class}
            value={kind}
            options={classes.map((value) => ({ value, label: words.classes[value] }))}
          />
          <TextField name="icao_type" label={words.icaoType} value={icaoType} placeholder="C172" maxLength={4} />
          <TextField name="hobbs" label={words.hobbs} value={hobbs} pattern={hours} inputMode="decimal" />
          <TextField name="tacho" label={words.tacho} value={tacho} pattern={hours} inputMode="decimal" />
          <TextField
            name="airframe_minutes"
            label={words.airframe}
            value={airframe}
            pattern="[0-9]+:[0-5][0-9]"
            placeholder="1234:30"
          />
          <TextField name="landings" label={words.landings} value={landings} type="number" min="0" />
        </div>
        <div class="form-actions">
          <Submit>{words.add}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
