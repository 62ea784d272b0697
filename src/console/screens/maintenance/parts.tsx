/** The parts that were fitted. */
import { useSignal } from "@preact/signals";
import type { WorkOrder } from "../../api/operations.ts";
import { formatCounter } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { hoursPattern, readHours } from "../../app/readings.ts";
import { Button } from "../../ui/button.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { InPlace } from "../../ui/in-place.tsx";
import { Rows } from "../../ui/rows.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PartProps } from "./order-part.ts";
import { maintenanceText } from "./words.ts";

type Part = WorkOrder["parts"][number];

export function Parts({ order, canEdit, save }: PartProps) {
  const words = maintenanceText();
  const { actions } = text();
  const { parts } = order;
  const change = async (next: Part[]) => {
    const fields = { parts: { label: words.parts, isList: true } };
    await save({ parts: next }, { before: order, fields });
    toast(actions.saved, {
      label: actions.undo,
      run: () => save({ parts }, { before: { ...order, parts: next }, fields }),
    });
  };
  return (
    <InPlace
      title={words.parts}
      action={words.addPart}
      canEdit={canEdit}
      form={(onEnd) => <NewPart onAdd={(part) => change([...parts, part])} onEnd={onEnd} />}
    >
      <Rows
        label={words.parts}
        empty={words.noParts}
        rows={parts.map(({ name, part_number, serial_number, batch_number, quantity }, index) => ({
          id: String(index),
          title: `${formatCounter(quantity).replace(/[.,]00$/, "")} × ${name}`,
          detail: [
            part_number,
            serial_number !== null && words.serialNo(serial_number),
            batch_number !== null && words.batchNo(batch_number),
          ]
            .filter(Boolean)
            .join(" · "),
          aside: canEdit && (
            <Button kind="plain" icon="close" iconOnly onClick={() => change(parts.filter((_, at) => at !== index))}>
              {words.removePart(name)}
            </Button>
          ),
        }))}
      />
    </InPlace>
  );
}

const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed.trim());

function NewPart({ onAdd, onEnd }: { onAdd: (part: Part) => Promise<void>; onEnd: () => void }) {
  const words = maintenanceText();
  const { actions } = text();
  const name = useSignal("");
  const number = useSignal("");
  const serial = useSignal("");
  const batch = useSignal("");
  const quantity = useSignal("1");
  const submit = async () => {
    await onAdd({
      name: name.value,
      part_number: orNull(number.value),
      serial_number: orNull(serial.value),
      batch_number: orNull(batch.value),
      quantity: readHours(quantity.value),
    });
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.addPart}>
      <div class="fields">
        <TextField name="name" label={words.partName} value={name} maxLength={120} required wide />
        <TextField name="part_number" label={words.partNumber} value={number} maxLength={60} />
        <TextField name="serial_number" label={words.serialNumber} value={serial} maxLength={60} />
        <TextField name="batch_number" label={words.batchNumber} value={batch} maxLength={60} />
        <TextField
          name="quantity"
          label={words.quantity}
          value={quantity}
          pattern={hoursPattern}
          format="decimal"
          inputMode="decimal"
          required
        />
      </div>
      <div class="form-actions">
        <Submit>{words.addPart}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}
