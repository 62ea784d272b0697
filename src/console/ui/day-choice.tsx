import { useId } from "preact/hooks";

interface DayChoiceProps {
  label: string;
  /** A legal date; empty: none. */
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => unknown;
}

/** A day that takes effect at once: the beginning or the end of a period. */
export function DayChoice({ label, value, min, max, onChange }: DayChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="date"
        {...{ value, min, max }}
        onChange={({ currentTarget }) => {
          // While somebody types a year, it is one of the first millennium.
          if (currentTarget.value === "" || currentTarget.value > "1900") onChange(currentTarget.value);
        }}
      />
    </div>
  );
}
