/** Defers a defect: the aircraft may fly with it until a day, or for some hours, whichever ends first. */
import { useSignal } from "@preact/signals";
import type { Defect } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { hoursPattern, readHours } from "../../app/readings.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { maintenanceText } from "./words.ts";

export function DeferDialog({ defect, onClose }: { defect: Defect; onClose: () => void }) {
  const words = maintenanceText();
  // What is extended begins with what was said; its hours count anew.
  const { deferred_until, deferral_reason } = defect;
  const until = useSignal(deferred_until !== null && deferred_until >= today() ? deferred_until : "");
  const hours = useSignal("");
  const reason = useSignal(deferral_reason ?? "");
  const defer = async () => {
    await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects/{defectId}/defer", {
      path: { aircraftId: defect.aircraft_id, defectId: defect.id },
      body: {
        reason: reason.value,
        ...(until.value !== "" && { until: until.value }),
        ...(hours.value !== "" && { hours: readHours(hours.value) }),
      },
    });
    onClose();
    await changed("/aircraft", "/maintenance");
    toast(words.deferred);
  };
  return (
    <Dialog title={words.deferTitle} onClose={onClose}>
      <Form onSubmit={defer}>
        <p class="quiet as-written">{defect.description}</p>
        <div class="fields close">
          <TextField
            name="until"
            label={words.deferUntil}
            type="date"
            value={until}
            min={today()}
            required={hours.value === ""}
            aside=""
            autoFocus
          />
          <TextField
            name="hours"
            label={words.deferHours}
            value={hours}
            pattern={hoursPattern}
            format="hours"
            inputMode="decimal"
            aside=""
          />
        </div>
        <p class="quiet small">{words.deferHint}</p>
        <TextField name="reason" label={words.deferReason} value={reason} maxLength={1000} required multiline />
        <div class="form-actions">
          <Submit>{words.defer}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
