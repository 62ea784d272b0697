/** Adds an aircraft with the readings of its counters. The rest is entered on its page, which opens. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { ReadingFields, readingsIn, useReadings } from "../../ui/reading-fields.tsx";
import { toast } from "../../ui/toast.tsx";
import { classes, isClass } from "./classes.ts";

export function NewAircraft({ onClose }: { onClose: () => void }) {
  const { aircraft: words } = text();
  const registration = useSignal("");
  const model = useSignal("");
  const icaoType = useSignal("");
  const serialNumber = useSignal("");
  const kind = useSignal("SEP");
  const readings = useReadings();

  const add = async () => {
    const { data } = await call("POST /orgs/{orgId}/aircraft", {
      body: {
        registration: registration.value,
        model: model.value,
        class: isClass(kind.value) ? kind.value : "other",
        ...(icaoType.value !== "" && { icao_type: icaoType.value.toUpperCase() }),
        ...(serialNumber.value.trim() !== "" && { serial_number: serialNumber.value }),
        ...readingsIn(readings),
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
          <TextField
            name="serial_number"
            label={words.serialNumber}
            value={serialNumber}
            placeholder="172S9876"
            maxLength={40}
          />
          <ReadingFields readings={readings} />
        </div>
        <div class="form-actions">
          <Submit>{words.add}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
