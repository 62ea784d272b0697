/** The items of the maintenance program that a work order covers: they are done with its release. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { ChoicesField, Form, Submit } from "../../ui/form.tsx";
import { InPlace } from "../../ui/in-place.tsx";
import { Rows } from "../../ui/rows.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PartProps } from "./order-part.ts";
import { maintenanceText } from "./words.ts";
import { useItemOptions } from "./work-orders.tsx";

export function Tasks({ order, canEdit, save }: PartProps) {
  const words = maintenanceText();
  const options = useItemOptions(order.aircraft.id);
  return (
    <InPlace
      title={words.tasks}
      action={words.chooseTasks}
      canEdit={canEdit && options.length > 0}
      form={(onEnd) => <Choosing {...{ order, canEdit, save, options, onEnd }} />}
    >
      <Rows label={words.tasks} empty={words.noTasks} rows={order.items.map(({ id, name }) => ({ id, title: name }))} />
    </InPlace>
  );
}

interface ChoosingProps extends PartProps {
  options: readonly { value: string; label: string }[];
  onEnd: () => void;
}

function Choosing({ order, save, options, onEnd }: ChoosingProps) {
  const words = maintenanceText();
  const { actions } = text();
  const before = useMemo(() => order, []);
  const chosen = useSignal<readonly string[]>(order.item_ids);
  const submit = async () => {
    const item_ids = [...chosen.value];
    const fields = { item_ids: { label: words.tasks, isList: true } };
    await save({ item_ids }, { before, fields });
    toast(actions.saved, {
      label: actions.undo,
      run: () => save({ item_ids: before.item_ids }, { before: { ...before, item_ids }, fields }),
    });
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.tasks}>
      <ChoicesField name="item_ids" label={words.tasksHint} value={chosen} options={options} />
      <div class="form-actions">
        <Submit>{actions.save}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}
