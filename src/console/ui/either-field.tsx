/** One of a few values that stand in full beside each other. */
import type { Signal } from "@preact/signals";
import { useContext, useId } from "preact/hooks";
import { type FieldProps, FormContext } from "./form.tsx";

interface EitherFieldProps extends Pick<FieldProps, "name" | "label"> {
  value: Signal<string>;
  /** @param label whose value it is */
  options: readonly { value: string; label: string; detail: string }[];
  autoFocus?: boolean;
}

export function EitherField({ name, label, value, options, autoFocus }: EitherFieldProps) {
  const id = useId();
  const isChosen = options.some((option) => option.value === value.value);
  const fault = useContext(FormContext)?.faults.value[name];
  return (
    <fieldset class="field" aria-describedby={fault === undefined ? undefined : `${id}-fault`}>
      <legend>{label}</legend>
      <div class="either">
        {options.map((option, index) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              required
              // biome-ignore lint/a11y/noAutofocus: the first control of a dialog
              autoFocus={autoFocus && (isChosen ? value.value === option.value : index === 0)}
              checked={value.value === option.value}
              onChange={() => {
                value.value = option.value;
              }}
            />
            <span>
              <span class="quiet small">{option.label}</span>
              <span class="as-written">{option.detail}</span>
            </span>
          </label>
        ))}
      </div>
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </fieldset>
  );
}
