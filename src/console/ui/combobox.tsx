/**
 * A choice among many, found by typing: people, aircraft, places. Any word or its beginning finds, without accents and case, as the
 * search of the server does. What it needs of Zag.js is a file of its own, loaded with the first screen that has one.
 */
import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { startsIn, wordsIn, wordsOf } from "../../core/words.ts";
import { loadPart } from "../app/load-part.ts";
import type { ComboboxInputProps } from "./combobox-input.tsx";
import { Field, type FieldProps } from "./form.tsx";
import type { Option } from "./option.ts";

interface ComboboxProps extends FieldProps {
  /** The value of the chosen option; empty without one. */
  value: Signal<string>;
  options: readonly Option[];
  /** Turns text that is no option into a value. Without it, only options can be chosen. */
  other?: (typed: string) => string;
  /** Called while somebody types, for options that are not all here. */
  onType?: (typed: string) => void;
  onChoose?: (value: string) => unknown;
  placeholder?: string;
  maxLength?: number;
  /** What other text must look like, and the name of its sentence. */
  pattern?: string;
  format?: string;
  autoFocus?: boolean;
}

/** Options that are shown at a time: nobody reads more. */
const most = 50;

type Loaded = typeof import("./combobox-input.tsx").ComboboxInput;
const input = signal<Loaded | undefined>(undefined);
loadPart(() => import("./combobox-input.tsx")).then(
  ({ ComboboxInput }) => {
    input.value = ComboboxInput;
  },
  // The fields stay as they are, read-only.
  () => undefined,
);

export function Combobox({ value, options, other, onType, onChoose, placeholder, ...rest }: ComboboxProps) {
  const { maxLength, pattern, format, autoFocus, ...field } = rest;
  const Input = input.value;
  const indexed = useMemo(
    () => options.map((option) => ({ option, words: wordsOf(option.label, option.detail, option.also) })),
    [options],
  );
  const find: ComboboxInputProps["find"] = (typed) => {
    const searched = wordsIn(typed);
    const found: Option[] = [];
    for (const { option, words } of indexed) {
      if (found.length === most) break;
      if (startsIn(words, searched)) found.push(option);
    }
    return found;
  };
  return (
    <Field {...field}>
      {(given) =>
        Input ? (
          <Input
            {...{ given, value, options, find, other, onType, onChoose, placeholder, maxLength, pattern, autoFocus }}
            data-format={format}
          />
        ) : (
          <input
            {...given}
            class="input"
            readOnly
            value={options.find((option) => option.value === value.value)?.label ?? (other ? value.value : "")}
          />
        )
      }
    </Field>
  );
}
