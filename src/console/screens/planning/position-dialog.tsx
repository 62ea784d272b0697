/** The coordinates of the home aerodrome, which are kept in the school's profile of the directory. */
import { useSignal } from "@preact/signals";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { planningText } from "./words.ts";

export interface PositionDialogProps {
  onClose: () => void;
}

/** In German, a comma is before the decimals. */
const decimal = (typed: string): string => typed.trim().replace(",", ".");

export default function PositionDialog({ onClose }: PositionDialogProps) {
  const words = planningText();
  const [latitude, longitude] = [useSignal(""), useSignal("")];
  const send = async () => {
    await call("PATCH /orgs/{orgId}/directory/school", {
      body: { latitude: decimal(latitude.value), longitude: decimal(longitude.value) },
    });
    onClose();
    await changed("/planning/resources", "/directory");
    toast(words.position.saved);
  };
  return (
    <Dialog title={words.position.title} onClose={onClose}>
      <Form onSubmit={send}>
        <p class="quiet">{words.position.hint}</p>
        <div class="fields close">
          <TextField
            name="latitude"
            label={words.position.latitude}
            hint={words.position.latitudeHint}
            value={latitude}
            inputMode="decimal"
            required
          />
          <TextField
            name="longitude"
            label={words.position.longitude}
            hint={words.position.longitudeHint}
            value={longitude}
            inputMode="decimal"
            required
          />
        </div>
        <div class="form-actions">
          <Submit>{words.position.save}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
