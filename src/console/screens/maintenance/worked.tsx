/** The hours that the work has taken: added by a tap, or typed. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { durationPattern, readDuration } from "../../app/readings.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { InPlace } from "../../ui/in-place.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PartProps } from "./order-part.ts";
import { maintenanceText } from "./words.ts";

const steps = [15, 60];

export function Worked({ order, canEdit, save }: PartProps) {
  const words = maintenanceText();
  const { actions } = text();
  const fields = {
    worked_minutes: { label: words.worked, shown: (value: unknown) => formatDuration(Number(value)) },
  };
  const set = async (minutes: number, before = order) => {
    await save({ worked_minutes: minutes }, { before, fields });
    toast(actions.saved, {
      label: actions.undo,
      run: () =>
        save({ worked_minutes: before.worked_minutes }, { before: { ...before, worked_minutes: minutes }, fields }),
    });
  };
  return (
    <InPlace
      title={words.worked}
      action={actions.edit}
      canEdit={canEdit}
      form={(onEnd) => <Typed {...{ order, onEnd }} onSave={set} />}
    >
      <div class="spread">
        <strong class="large">{formatDuration(order.worked_minutes)} h</strong>
        {canEdit && (
          <div class="row-actions">
            {steps.map((minutes) => (
              <Button key={minutes} onClick={() => set(order.worked_minutes + minutes).catch(failed)}>
                {words.addWork(formatDuration(minutes))}
              </Button>
            ))}
          </div>
        )}
      </div>
    </InPlace>
  );
}

interface TypedProps extends Pick<PartProps, "order"> {
  onEnd: () => void;
  onSave: (minutes: number, before: PartProps["order"]) => Promise<void>;
}

function Typed({ order, onEnd, onSave }: TypedProps) {
  const words = maintenanceText();
  const { actions } = text();
  const before = useMemo(() => order, []);
  const typed = useSignal(formatDuration(before.worked_minutes));
  const submit = async () => {
    await onSave(readDuration(typed.value), before);
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.worked}>
      <TextField
        name="worked_minutes"
        label={words.workedHours}
        value={typed}
        pattern={durationPattern}
        format="duration"
        required
      />
      <div class="form-actions">
        <Submit>{actions.save}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}
