/** An item of the maintenance program: after which hours, months or landings it is due, and how far it may be exceeded. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Aircraft, MaintenanceItem, MaintenanceItemChange } from "../../api/operations.ts";
import { act, change } from "../../app/change.ts";
import { formatCounter } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changesIn } from "../../app/merge.ts";
import { hoursPattern } from "../../app/readings.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, TextField } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { toast } from "../../ui/toast.tsx";
import { bodyOf, hoursCounters, typedOf } from "./item-entry.ts";
import { maintenanceText } from "./words.ts";

interface ItemDialogProps {
  aircraft: Aircraft;
  /** Without one, it adds one. */
  item?: MaintenanceItem;
  onClose: () => void;
}

export function ItemDialog({ aircraft, item, onClose }: ItemDialogProps) {
  const words = maintenanceText();
  const { actions } = text();
  const fields = useMemo(() => typedOf(item), []);
  const isRemoving = useSignal(false);
  const refresh = () => changed("/maintenance", "/aircraft");
  const save = async (before: MaintenanceItem, body: MaintenanceItemChange) => {
    const hours = { shown: (value: unknown) => formatCounter(String(value)) };
    await change("/orgs/{orgId}/maintenance/items/{itemId}", { itemId: before.id }, body, {
      before,
      fields: {
        name: { label: words.itemName },
        interval_hours: { label: words.hours, ...hours },
        hours_counter: {
          label: words.hoursOf,
          shown: (value) => text().aircraft[value as MaintenanceItem["hours_counter"]],
        },
        interval_months: { label: words.months },
        interval_landings: { label: words.landings },
        critical: { label: words.critical, shown: (value) => (value === true ? text().form.yes : text().form.no) },
        tolerance_hours: { label: words.toleranceHours, ...hours },
        tolerance_months: { label: words.toleranceMonths },
        upcoming_hours: { label: words.upcomingHours, ...hours },
        upcoming_days: { label: words.upcomingDays },
        notes: { label: words.notes },
      },
    });
    await refresh();
  };
  const submit = async () => {
    const body = bodyOf(fields);
    if (item === undefined) {
      await call("POST /orgs/{orgId}/maintenance/items", { body: { aircraft_id: aircraft.id, ...body } });
      onClose();
      await refresh();
      toast(words.itemAdded(body.name));
      return;
    }
    const next = changesIn(item, body);
    if (Object.keys(next).length > 0) {
      await save(item, next);
      toast(actions.saved, {
        label: actions.undo,
        run: () => save({ ...item, ...next }, changesIn({ ...item, ...next }, item)),
      });
    }
    onClose();
  };
  const remove = async (seen: MaintenanceItem) => {
    await act("DELETE /orgs/{orgId}/maintenance/items/{itemId}", { path: { itemId: seen.id } }, seen);
    await refresh();
    toast(words.itemRemoved(seen.name));
  };
  if (isRemoving.value && item)
    return (
      <Confirm
        title={words.removeTitle(item.name)}
        action={words.removeItem}
        onConfirm={() => remove(item)}
        onClose={onClose}
      >
        {words.removeHint}
      </Confirm>
    );
  const hours = { pattern: hoursPattern, format: "hours", inputMode: "decimal" } as const;
  const number = { type: "number", min: "1", inputMode: "numeric" } as const;
  const fromZero = { ...number, min: "0" } as const;
  return (
    <Dialog title={item === undefined ? words.addItem : item.name} onClose={onClose}>
      <Form onSubmit={submit}>
        <TextField name="name" label={words.itemName} value={fields.name} maxLength={120} required autoFocus />
        <fieldset class="group">
          <legend class="group-title">{words.dueAfter}</legend>
          <p class="quiet small">{words.dueAfterHint}</p>
          <div class="fields close">
            <TextField name="interval_hours" label={words.hours} value={fields.interval_hours} {...hours} />
            <SelectField
              name="hours_counter"
              label={words.hoursOf}
              value={fields.hours_counter}
              options={hoursCounters.map((value) => ({ value, label: text().aircraft[value] }))}
            />
            <TextField name="interval_months" label={words.months} value={fields.interval_months} {...number} />
            <TextField name="interval_landings" label={words.landings} value={fields.interval_landings} {...number} />
          </div>
        </fieldset>
        {item === undefined && (
          <TextField
            name="last_done_on"
            label={words.lastDoneOn}
            hint={words.lastDoneHint}
            type="date"
            value={fields.last_done_on}
          />
        )}
        <CheckField name="critical" label={words.critical} value={fields.critical} />
        <details>
          <summary>{words.tolerance}</summary>
          <div class="fields close spaced">
            <TextField name="tolerance_hours" label={words.toleranceHours} value={fields.tolerance_hours} {...hours} />
            <TextField
              name="tolerance_months"
              label={words.toleranceMonths}
              value={fields.tolerance_months}
              {...fromZero}
            />
            <TextField name="upcoming_hours" label={words.upcomingHours} value={fields.upcoming_hours} {...hours} />
            <TextField name="upcoming_days" label={words.upcomingDays} value={fields.upcoming_days} {...fromZero} />
          </div>
        </details>
        <TextField name="notes" label={words.notes} value={fields.notes} maxLength={2000} multiline />
        <FormFoot
          submit={item === undefined ? words.addItem : actions.save}
          remove={words.removeItem}
          onRemove={
            item &&
            (() => {
              isRemoving.value = true;
            })
          }
        />
      </Form>
    </Dialog>
  );
}
