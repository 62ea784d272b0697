/** A text in a row of a sorted list: the heading of the list says what it is, and a name for screen readers. What is wrong stands below. */
import { useContext, useId, useLayoutEffect, useRef } from "preact/hooks";
import { FormContext } from "../../ui/form.tsx";

interface RowInputProps {
  /** In its form. */
  name: string;
  label: string;
  value: string;
  maxLength: number;
  /** It is typed next. */
  isNext?: boolean;
  onType: (typed: string) => void;
}

export function RowInput({ name, label, value, maxLength, isNext = false, onType }: RowInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const fault = useContext(FormContext)?.faults.value[name];
  // Before the next key.
  useLayoutEffect(() => {
    if (isNext) input.current?.focus();
  }, []);
  return (
    <>
      <input
        {...{ name, value, maxLength }}
        class="input"
        ref={input}
        aria-label={label}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : id}
        required
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      {fault !== undefined && (
        <span class="fault" id={id}>
          {fault}
        </span>
      )}
    </>
  );
}
