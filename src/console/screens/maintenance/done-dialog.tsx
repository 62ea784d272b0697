/** Records that an item was done without a work order: when, at which readings, by whom, and what that releases. */
import { useSignal } from "@preact/signals";
import type { Aircraft, MaintenanceItem, MaintenanceItemChange } from "../../api/operations.ts";
import { change } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call, me } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { ReadingFields, readingsIn, useReadings } from "../../ui/reading-fields.tsx";
import { toast } from "../../ui/toast.tsx";
import { maintenanceText } from "./words.ts";

interface DoneDialogProps {
  aircraft: Aircraft;
  item: MaintenanceItem;
  onClose: () => void;
}

export function DoneDialog({ aircraft, item, onClose }: DoneDialogProps) {
  const words = maintenanceText();
  const { actions } = text();
  const on = useSignal(today());
  const by = useSignal(me.value?.user.name ?? "");
  const note = useSignal("");
  const readings = useReadings();
  const releases = aircraft.groundings.some(({ subject_id }) => subject_id === item.id);
  const path = { itemId: item.id };
  const takeBack = async (done: MaintenanceItem) => {
    const fields = { last_done_on: { label: words.lastDoneOn, shown: (value: unknown) => formatDay(String(value)) } };
    await change("/orgs/{orgId}/maintenance/items/{itemId}", path, before(item), { before: done, fields });
    await changed("/maintenance", "/aircraft");
  };
  const record = async () => {
    const { data } = await call("POST /orgs/{orgId}/maintenance/items/{itemId}/done", {
      path,
      body: {
        last_done_on: on.value,
        last_done_by: by.value,
        ...(note.value.trim() !== "" && { last_done_note: note.value }),
        ...lastDone(readingsIn(readings)),
      },
    });
    onClose();
    await changed("/maintenance", "/aircraft");
    toast(data.due_on === null ? words.recorded(item.name) : words.recordedUntil(item.name, formatDay(data.due_on)), {
      label: actions.undo,
      run: () => takeBack(data),
    });
  };
  return (
    <Dialog title={words.doneTitle(item.name)} onClose={onClose}>
      <Form onSubmit={record}>
        <div class="fields close">
          <TextField name="last_done_on" label={words.doneOn} type="date" value={on} max={today()} required autoFocus />
          <TextField name="last_done_by" label={words.doneBy} value={by} maxLength={120} required />
        </div>
        <fieldset class="group">
          <legend class="group-title">{words.readingsThen}</legend>
          <p class="quiet small">{words.readingsHint}</p>
          <div class="fields close">
            <ReadingFields readings={readings} prefix="last_done_" />
          </div>
        </fieldset>
        <TextField name="last_done_note" label={words.doneNote} value={note} maxLength={1000} multiline />
        {releases && <p class="notice info">{words.releasesAircraft(aircraft.registration)}</p>}
        <div class="form-actions">
          <Submit>{words.record}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

const lastDone = ({ hobbs, tacho, airframe_minutes, landings }: ReturnType<typeof readingsIn>) => ({
  ...(hobbs !== undefined && { last_done_hobbs: hobbs }),
  ...(tacho !== undefined && { last_done_tacho: tacho }),
  ...(airframe_minutes !== undefined && { last_done_airframe_minutes: airframe_minutes }),
  ...(landings !== undefined && { last_done_landings: landings }),
});

/** What is put back by an undo. */
const before = (item: MaintenanceItem): MaintenanceItemChange => ({
  last_done_on: item.last_done_on,
  last_done_hobbs: item.last_done_hobbs,
  last_done_tacho: item.last_done_tacho,
  last_done_airframe_minutes: item.last_done_airframe_minutes,
  last_done_landings: item.last_done_landings,
  last_done_by: item.last_done_by,
  last_done_note: item.last_done_note,
});
