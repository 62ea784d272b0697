/** Adds the items of a template to an aircraft, with the day on which they were last done, if it is known. */
import { useSignal } from "@preact/signals";
import type { MaintenanceTemplate } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { maintenanceText } from "./words.ts";

export function ApplyDialog({ template, onClose }: { template: MaintenanceTemplate; onClose: () => void }) {
  const words = maintenanceText();
  const aircraftId = useSignal(place.value.query.get("aircraft") ?? "");
  const on = useSignal("");
  const fleet = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const apply = async () => {
    const { data } = await call("POST /orgs/{orgId}/maintenance/templates/{key}/apply", {
      path: { key: template.key },
      body: {
        aircraft_id: aircraftId.value,
        language: words.language,
        ...(on.value !== "" && { last_done_on: on.value }),
      },
    });
    onClose();
    await changed("/maintenance", "/aircraft");
    toast(data.length === 0 ? words.nothingAdded : words.itemsAdded(data.length));
    if (data.length > 0) go(`/app/aircraft/${aircraftId.value}`);
  };
  return (
    <Dialog title={words.applyTitle(template.name)} onClose={onClose}>
      <Loaded resource={fleet}>
        {({ data }) => (
          <Form onSubmit={apply}>
            <SelectField
              name="aircraft_id"
              label={words.aircraft}
              value={aircraftId}
              options={[
                { value: "", label: "" },
                ...data
                  .filter(({ status }) => status !== "archived")
                  .map(({ id, registration, model }) => ({ value: id, label: `${registration} · ${model}` })),
              ]}
            />
            <TextField
              name="last_done_on"
              label={words.lastDoneOn}
              hint={words.applyHint}
              type="date"
              value={on}
              max={today()}
            />
            <p class="quiet small">{words.applyTwice}</p>
            <div class="form-actions">
              <Submit>{words.apply}</Submit>
            </div>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
