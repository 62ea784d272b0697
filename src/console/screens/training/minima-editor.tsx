/** The minima of a draft: what is measured, how much is required, and by which rule. */
import { useSignal } from "@preact/signals";
import type { TrainingMeasure } from "../../api/operations.ts";
import { formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { countPattern, durationPattern, readCount, readDuration } from "../../app/readings.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import type { Minimum } from "./draft.ts";
import { amountIn, amountOf, nameIn } from "./meters.tsx";
import { trainingText } from "./words.ts";

interface MinimaEditorProps {
  minima: readonly Minimum[];
  onChange: (minima: readonly Minimum[]) => void;
}

export function MinimaEditor({ minima, onChange }: MinimaEditorProps) {
  const words = trainingText();
  const { minima: names } = text().person;
  const editing = useSignal<Minimum | "new" | undefined>(undefined);
  const close = () => {
    editing.value = undefined;
  };
  const known = Object.keys(names).filter((name): name is TrainingMeasure => name in names);
  const free = known.filter((name) => !minima.some(({ measure }) => measure === name));
  return (
    <SectionWithAdd
      title={words.minima}
      add={words.addMinimum}
      onAdd={
        free.length === 0
          ? undefined
          : () => {
              editing.value = "new";
            }
      }
    >
      <Rows
        label={words.minima}
        empty={words.noMinima}
        most={30}
        rows={minima.map((minimum) => ({
          id: minimum.measure,
          title: `${nameIn(minimum)}: ${amountIn(minimum, minimum.required)}`,
          detail: minimum.legal_basis,
          onOpen: () => {
            editing.value = minimum;
          },
          aside: (
            <Button
              kind="plain"
              icon="close"
              iconOnly
              onClick={() => onChange(minima.filter((one) => one !== minimum))}
            >
              {words.removeMinimum(names[minimum.measure])}
            </Button>
          ),
        }))}
      />
      {editing.value !== undefined && (
        <MinimumDialog
          minimum={editing.value === "new" ? undefined : editing.value}
          measures={free}
          onClose={close}
          onSet={(next) => {
            const before = editing.value;
            onChange(before === "new" ? [...minima, next] : minima.map((one) => (one === before ? next : one)));
            close();
          }}
        />
      )}
    </SectionWithAdd>
  );
}

interface MinimumDialogProps {
  minimum: Minimum | undefined;
  /** Those that have none yet. */
  measures: readonly TrainingMeasure[];
  onSet: (minimum: Minimum) => void;
  onClose: () => void;
}

const numberOr = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));

function MinimumDialog({ minimum, measures, onSet, onClose }: MinimumDialogProps) {
  const words = trainingText();
  const { minima: names } = text().person;
  const options = minimum ? [minimum.measure] : measures;
  const measure = useSignal<string>(options[0] ?? "");
  const required = useSignal(minimum ? amountOf(minimum.measure, minimum.required) : "");
  const distance = useSignal(String(minimum?.distance_km ?? ""));
  const stops = useSignal(String(minimum?.full_stops_elsewhere ?? ""));
  const simulator = useSignal(
    typeof minimum?.simulator_minutes_at_most === "number" ? formatDuration(minimum.simulator_minutes_at_most) : "",
  );
  const basis = useSignal(minimum?.legal_basis ?? "");
  const from = useSignal(minimum?.effective_from ?? "");
  const isTime = measure.value.endsWith("_minutes");
  const isTotal = measure.value === "total_minutes";
  const isLong = measure.value === "long_cross_country";
  const set = async () => {
    const [chosen] = options.filter((one) => one === measure.value);
    if (chosen === undefined) return;
    onSet({
      measure: chosen,
      required: isTime ? readDuration(required.value.trim()) : readCount(required.value.trim()),
      simulator_minutes_at_most: isTotal && simulator.value.trim() !== "" ? readDuration(simulator.value.trim()) : null,
      distance_km: isLong ? numberOr(distance.value) : null,
      full_stops_elsewhere: isLong ? numberOr(stops.value) : null,
      legal_basis: basis.value,
      effective_from: from.value,
    });
  };
  return (
    <Dialog title={minimum ? names[minimum.measure] : words.addMinimum} onClose={onClose}>
      <Form onSubmit={set} isKept>
        {!minimum && (
          <SelectField
            name="measure"
            label={words.measure}
            value={measure}
            options={options.map((value) => ({ value, label: names[value] }))}
          />
        )}
        <div class="fields close">
          <TextField
            name="required"
            label={words.required}
            value={required}
            placeholder={isTime ? "10:00" : undefined}
            pattern={isTime ? durationPattern : countPattern}
            format={isTime ? "airframe_hours" : "whole_number"}
            required
          />
          {isLong && (
            <>
              <TextField name="distance_km" label={words.distance} type="number" min="1" value={distance} required />
              <TextField name="full_stops_elsewhere" label={words.stops} type="number" min="1" max="20" value={stops} />
            </>
          )}
          <TextField name="effective_from" label={words.effectiveFrom} type="date" value={from} required />
          {isTotal && (
            <TextField
              name="simulator_minutes_at_most"
              label={words.simulatorMost}
              value={simulator}
              placeholder="5:00"
              pattern={durationPattern}
              format="airframe_hours"
              wide
            />
          )}
        </div>
        <TextField name="legal_basis" label={words.legalBasis} value={basis} maxLength={200} required />
        <div class="form-actions">
          <Submit>{words.apply}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
