/** Enters somebody's working time on a day. */
import { useSignal } from "@preact/signals";
import { today } from "../../app/days.ts";
import { text } from "../../app/language.ts";
import { durationPattern, readDuration } from "../../app/readings.ts";
import { me } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { type Hours, hoursOf } from "./hours.ts";
import type { Mechanics } from "./use-mechanics.ts";
import { maintenanceText } from "./words.ts";

interface WorkedFormProps extends Mechanics {
  onAdd: (entry: Hours) => Promise<void>;
  onEnd: () => void;
}

export function WorkedForm({ own, people, onAdd, onEnd }: WorkedFormProps) {
  const words = maintenanceText();
  const { actions } = text();
  const person = useSignal(own ?? "");
  const name = useSignal(own === null ? (me.value?.user.name ?? "") : "");
  const on = useSignal(today());
  const time = useSignal("");
  const submit = async () => {
    const who = people.find(({ id }) => id === person.value) ?? { id: null, name: name.value.trim() };
    await onAdd(hoursOf(who, { worked_on: on.value, minutes: readDuration(time.value) }));
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.addWorked}>
      <div class="fields">
        {people.length > 0 && (
          <SelectField
            name="person_id"
            label={words.workedBy}
            value={person}
            options={[
              ...people.map(({ id, name: label }) => ({ value: id, label })),
              { value: "", label: words.somebodyElse },
            ]}
          />
        )}
        {person.value === "" && (
          <TextField name="worked_by" label={words.certifierName} value={name} maxLength={120} required />
        )}
        <TextField name="worked_on" label={words.workedOn} type="date" value={on} max={today()} required />
        <TextField
          name="minutes"
          label={words.workedHours}
          value={time}
          pattern={durationPattern}
          format="duration"
          placeholder="1:30"
          required
        />
      </div>
      <div class="form-actions">
        <Submit>{words.addWorked}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}
