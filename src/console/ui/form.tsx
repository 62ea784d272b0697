/**
 * Forms. The browser's constraints are checked first, then the server's: both are shown at their fields, and the focus goes to the first.
 * What was typed stays.
 */
import { type Signal, useSignal } from "@preact/signals";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useId, useMemo, useRef } from "preact/hooks";
import { Problem } from "../api/problem.ts";
import { Undecided } from "../app/change.ts";
import { explainFormat, explainIssue } from "../app/explain.ts";
import { text } from "../app/language.ts";
import { forgetInput, noteInput } from "../app/unsaved.ts";
import { Button } from "./button.tsx";
import { ProblemNotice } from "./states.tsx";

type Faults = Readonly<Record<string, string>>;

interface FormState {
  /** By the names of the fields, which are paths of the body: `organization.name`. */
  faults: Signal<Faults>;
  isBusy: Signal<boolean>;
}

export const FormContext = createContext<FormState | undefined>(undefined);

interface FormProps {
  children: ComponentChildren;
  /** Sends the form. What it throws is shown. */
  onSubmit: () => Promise<unknown>;
  /** For screen readers, if no heading names the form. */
  label?: string;
  /** What is typed is kept elsewhere while it is typed, and survives a reload. */
  isKept?: boolean;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function Form({ children, onSubmit, label, isKept = false }: FormProps) {
  const faults = useSignal<Faults>({});
  const isBusy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const typed = useMemo(() => ({}), []);
  useEffect(() => () => forgetInput(typed), []);

  const controls = () => [...(form.current?.elements ?? [])].filter((one): one is Control => "validity" in one);
  const focusFirst = () => {
    const first = controls().find(({ name }) => name in faults.value);
    // What is folded away can't have the focus.
    first?.closest("details")?.setAttribute("open", "");
    first?.focus();
  };

  /** A format that is not right is said when the field is left, not only when all is sent. */
  const checkFormat = (control: EventTarget | null) => {
    const left = controls().find((one) => one === control);
    if (!left || left.name === "") return;
    const { [left.name]: known, ...others } = faults.value;
    if (left.validity.patternMismatch) faults.value = { ...others, [left.name]: faultOf(left) };
    else if (known !== undefined && known === formatFaultOf(left)) faults.value = others;
  };

  const submit = async () => {
    if (isBusy.value) return;
    faults.value = Object.fromEntries(
      controls()
        .filter(({ name, validity }) => name !== "" && !validity.valid)
        .map((control) => [control.name, faultOf(control)]),
    );
    problem.value = undefined;
    if (Object.keys(faults.value).length > 0) return focusFirst();
    isBusy.value = true;
    try {
      await onSubmit();
      forgetInput(typed);
    } catch (error) {
      if (error instanceof Undecided) return;
      const names = new Set(controls().map(({ name }) => name));
      const issues = error instanceof Problem ? error.issues : [];
      const atFields = issues.filter(({ path }) => names.has(fieldOf(path)));
      faults.value = Object.fromEntries(atFields.map((issue) => [fieldOf(issue.path), explainIssue(issue)]));
      if (atFields.length === 0 || atFields.length < issues.length) problem.value = error;
      focusFirst();
    } finally {
      isBusy.value = false;
    }
  };

  return (
    <FormContext.Provider value={{ faults, isBusy }}>
      <form
        ref={form}
        class="form"
        noValidate
        aria-label={label}
        onInput={() => {
          if (!isKept) noteInput(typed);
        }}
        onFocusOut={({ target }) => checkFormat(target)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {problem.value !== undefined && <ProblemNotice error={problem.value} />}
        {children}
      </form>
    </FormContext.Provider>
  );
}

/** `body.organization.name` → `organization.name` */
const fieldOf = (path: string): string => path.replace(/^body\./, "");

const formatFaultOf = ({ dataset }: Control): string => explainFormat(dataset.format) ?? text().form.pattern;

/** What the browser finds wrong, in the language of the console. */
function faultOf(control: Control): string {
  const { form } = text();
  const { validity } = control;
  const { type, min = "", max = "", minLength = 0, maxLength = 0 }: Partial<HTMLInputElement> = control;
  if (validity.valueMissing) return form.required;
  if (validity.typeMismatch && type === "email") return form.email;
  if (validity.tooShort) return form.tooShort(minLength);
  if (validity.tooLong) return form.tooLong(maxLength);
  if (validity.rangeUnderflow) return form.tooSmall(min);
  if (validity.rangeOverflow) return form.tooLarge(max);
  if (validity.patternMismatch) return formatFaultOf(control);
  return form.invalid;
}

/** The button that sends the form, and says so while it does. */
export function Submit({
  children,
  busyText,
  kind = "primary",
}: {
  children: ComponentChildren;
  busyText?: string;
  kind?: "primary" | "danger";
}) {
  const state = useContext(FormContext);
  return (
    <Button
      kind={kind}
      type="submit"
      isBusy={state?.isBusy.value === true}
      busyText={busyText ?? text().actions.saving}
    >
      {children}
    </Button>
  );
}

export interface FieldProps {
  /** The path in the body of the request. */
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  /** Beside the label in place of `optional`. */
  aside?: ComponentChildren;
  wide?: boolean;
}

export interface Given {
  id: string;
  name: string;
  required: boolean;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** A label, a control, a hint, and what is wrong. */
export function Field({
  children,
  label,
  hint,
  name,
  required = false,
  aside,
  wide,
}: FieldProps & { children: (given: Given) => ComponentChildren }) {
  const id = useId();
  const state = useContext(FormContext);
  const fault = state?.faults.value[name];
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`]
    .filter(Boolean)
    .join(" ");
  const given: Given = {
    ...{ id, name, required },
    "aria-invalid": fault === undefined ? undefined : true,
    "aria-describedby": described || undefined,
  };
  return (
    <div class={wide ? "field wide" : "field"}>
      <label for={id} id={`${id}-label`}>
        {label}
        {aside ?? (!required && <span class="optional">{text().form.optional}</span>)}
      </label>
      {children(given)}
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  value: Signal<string>;
  type?: "text" | "email" | "password" | "tel" | "url" | "date" | "time" | "number" | "search";
  autoComplete?: string;
  inputMode?: "text" | "numeric" | "decimal" | "email" | "tel" | "url";
  minLength?: number;
  maxLength?: number;
  min?: string;
  max?: string;
  step?: string;
  pattern?: string;
  /** What the pattern asks for, in the words of `explainFormat`. */
  format?: string;
  placeholder?: string;
  autoFocus?: boolean;
  spellcheck?: boolean;
  /** Several lines. */
  multiline?: boolean;
}

/** Browsers heed `autofocus` once for a page, and in dialogs. */
const focusFirstField = (field: HTMLInputElement | null): void => field?.focus();

export const TextField = ({
  value,
  multiline,
  label,
  hint,
  name,
  required,
  aside,
  wide,
  format,
  ...input
}: TextFieldProps) => (
  <Field {...{ label, name, hint, required, aside, wide }}>
    {(given) =>
      multiline ? (
        <textarea
          {...given}
          class="input"
          value={value.value}
          maxLength={input.maxLength}
          // biome-ignore lint/a11y/noAutofocus: the first control of a dialog
          autoFocus={input.autoFocus}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
        />
      ) : (
        // The element's type has no room for a type that is chosen here.
        <input
          {...given}
          ref={input.autoFocus === true ? focusFirstField : undefined}
          {...(input as Omit<typeof input, "type"> & { type?: "text" })}
          data-format={format}
          class="input"
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
        />
      )
    }
  </Field>
);

interface PasswordFieldProps extends Omit<FieldProps, "required"> {
  value: Signal<string>;
  /** Whether it is chosen here, or the one of the account. */
  autoComplete: "new-password" | "current-password";
  autoFocus?: boolean;
}

/** A password, which can be made readable. */
export function PasswordField({ value, autoComplete, autoFocus, label, hint, name }: PasswordFieldProps) {
  const isShown = useSignal(false);
  return (
    <Field {...{ label, name, hint }} required>
      {(given) => (
        <div class="with-button">
          <input
            {...given}
            ref={autoFocus === true ? focusFirstField : undefined}
            class="input"
            {...(isShown.value ? ({ type: "text" } as const) : ({ type: "password" } as const))}
            autoComplete={autoComplete}
            // biome-ignore lint/a11y/noAutofocus: in a dialog, the browser asks for it
            autoFocus={autoFocus}
            autoCapitalize="none"
            spellcheck={false}
            minLength={autoComplete === "new-password" ? 12 : undefined}
            value={value.value}
            onInput={({ currentTarget }) => {
              value.value = currentTarget.value;
            }}
          />
          <Button
            kind="plain"
            icon={isShown.value ? "eyeOff" : "eye"}
            iconOnly
            pressed={isShown.value}
            onClick={() => {
              isShown.value = !isShown.value;
            }}
          >
            {text().form.showPassword}
          </Button>
        </div>
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  value: Signal<string>;
  options: readonly { value: string; label: string }[];
}

export const SelectField = ({ value, options, label, hint, name, required = true, wide }: SelectFieldProps) => (
  <Field {...{ label, name, hint, required, wide }}>
    {(given) => (
      <select
        {...given}
        class="input"
        value={value.value}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface ChoicesFieldProps extends FieldProps {
  value: Signal<readonly string[]>;
  options: readonly { value: string; label: string }[];
}

/** Several of a few choices. */
export function ChoicesField({ value, options, label, name, hint, wide = true }: ChoicesFieldProps) {
  const id = useId();
  const fault = useContext(FormContext)?.faults.value[name];
  return (
    <fieldset class={wide ? "field wide" : "field"} aria-describedby={fault === undefined ? undefined : id}>
      <legend>{label}</legend>
      {/* At the first choice, which gets the focus: the last may be far away. */}
      {fault !== undefined && (
        <span class="fault" id={id}>
          {fault}
        </span>
      )}
      <div class="checks">
        {options.map((option) => (
          <label key={option.value} class="check">
            <input
              type="checkbox"
              name={name}
              checked={value.value.includes(option.value)}
              onChange={({ currentTarget: { checked } }) => {
                const others = value.value.filter((one) => one !== option.value);
                value.value = checked ? [...others, option.value] : others;
              }}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </fieldset>
  );
}

export const CheckField = ({ value, label, name }: { value: Signal<boolean>; label: string; name: string }) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      checked={value.value}
      onChange={({ currentTarget }) => {
        value.value = currentTarget.checked;
      }}
    />
    {label}
  </label>
);
