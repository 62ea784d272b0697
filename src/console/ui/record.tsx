/**
 * Facts of something that can be changed where they stand: each field is said once, and is shown or edited. What is saved are the
 * changed fields only, so that two desks can change different ones.
 */
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { amountOf, amountPattern, minorOf } from "../app/amounts.ts";
import type { FieldWords, Save } from "../app/change.ts";
import { formatDay, formatMoney } from "../app/format.ts";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";
import { type Fact, Facts } from "./facts.tsx";
import { CheckField, ChoicesField, Form, SelectField, Submit, TextField } from "./form.tsx";
import { InPlace } from "./in-place.tsx";
import { toast } from "./toast.tsx";

interface Option {
  value: string;
  label: string;
}

interface Common<Name extends string> {
  /** The name in the body of the change. */
  name: Name;
  label: string;
  hint?: string;
  required?: boolean;
  wide?: boolean;
  /** What is shown, where it is not the value itself; `null` for nothing. */
  shown?: ComponentChildren;
}

/** A field by its kind. Lists of words are separated by commas. */
export type RecordField<Name extends string = string> = Common<Name> &
  (
    | {
        kind: "text" | "email" | "tel" | "date";
        value: string | null;
        maxLength?: number;
        multiline?: boolean;
        pattern?: string;
      }
    | { kind: "integer"; value: number | null; min?: string; max?: string }
    /** In minor units. */
    | { kind: "money"; value: number | null; currency: string }
    | { kind: "choice"; value: string | null; options: readonly Option[] }
    | { kind: "choices"; value: readonly string[]; options: readonly Option[] }
    | { kind: "words"; value: readonly string[] }
    | { kind: "yes-or-no"; value: boolean }
  );

interface RecordProps<Body extends object> {
  title: string;
  fields: readonly RecordField<keyof Body & string>[];
  /** What the fields are of. */
  of: object;
  canEdit: boolean;
  /** Sends the fields that have changed. */
  onSave: Save<Body>;
  /** What is said if nothing is known yet. */
  empty?: string;
  /** Facts that are made of several fields. */
  others?: readonly Fact[];
}

export function EditableRecord<Body extends object>(props: RecordProps<Body>) {
  const { title, fields, of, canEdit, onSave, empty, others = [] } = props;
  const facts = [...fields.map((field) => ({ label: field.label, value: shownOf(field) })), ...others];
  return (
    <InPlace
      title={title}
      action={text().actions.edit}
      canEdit={canEdit}
      form={(onEnd) => <RecordForm {...{ title, fields, of, onSave, onEnd }} />}
    >
      {facts.some(({ value }) => value !== "" && value !== null) ? (
        <Facts facts={facts} />
      ) : (
        <p class="quiet">{empty}</p>
      )}
    </InPlace>
  );
}

type FormProps<Body extends object> = Pick<RecordProps<Body>, "title" | "fields" | "of" | "onSave"> & {
  onEnd: () => void;
};

function RecordForm<Body extends object>({ title, fields, of, onSave, onEnd }: FormProps<Body>) {
  const { actions } = text();
  // What was typed stays if the facts are loaded anew.
  const drafts = useMemo(() => fields.map((field) => ({ name: field.name, before: field, draft: draftOf(field) })), []);
  const before = useMemo(() => of, []);
  const save = async () => {
    const changes = drafts.flatMap(({ name, before, draft }) => {
      const [old, now] = [heldIn(before), draft.read()];
      return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ name, old, now }];
    });
    if (changes.length > 0) {
      // The names are those of the body, and each kind has the type of its field.
      const body = (which: "old" | "now") =>
        Object.fromEntries(changes.map(({ name, [which]: value }) => [name, value])) as Body;
      const shown = (of: readonly RecordField[]) => Object.fromEntries(of.map((field) => [field.name, wordsOf(field)]));
      await onSave(body("now"), { before, fields: shown(fields) });
      const saved = { ...before, ...body("now") };
      const changed = fields.filter(({ name }) => changes.some((one) => one.name === name));
      toast(actions.saved, {
        label: actions.undo,
        run: () => onSave(body("old"), { before: saved, fields: shown(changed) }),
      });
    }
    onEnd();
  };
  return (
    <Form onSubmit={save} label={title}>
      <div class="fields">
        {drafts.map(({ name, before, draft }) => (
          <Control key={name} field={before} draft={draft} />
        ))}
      </div>
      <div class="form-actions">
        <Submit>{actions.save}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}

interface Draft {
  words: Signal<string>;
  chosen: Signal<readonly string[]>;
  isOn: Signal<boolean>;
  /** The value as the API has it. */
  read(): unknown;
}

function draftOf(field: RecordField): Draft {
  const { value } = field;
  const inMajor = field.kind === "money" && field.value !== null && amountOf(field.value, field.currency);
  const words = signal(inMajor || (Array.isArray(value) ? value.join(", ") : String(value ?? "")));
  const chosen = signal<readonly string[]>(Array.isArray(value) ? value : []);
  const isOn = signal(value === true);
  const read = (): unknown => {
    const typed = words.value.trim();
    switch (field.kind) {
      case "choices":
        return field.options.map((option) => option.value).filter((one) => chosen.value.includes(one));
      case "yes-or-no":
        return isOn.value;
      case "words":
        return [...new Set(typed.split(",").map((one) => one.trim()))].filter(Boolean);
      case "integer":
        return typed === "" ? null : Number(typed);
      case "money":
        return typed === "" ? null : minorOf(typed, field.currency);
      default:
        return typed === "" ? null : typed;
    }
  };
  return { words, chosen, isOn, read };
}

/** In the order of the options, so that equal choices are equal. */
const heldIn = (field: RecordField): unknown =>
  field.kind === "choices"
    ? field.options.map(({ value }) => value).filter((one) => field.value.includes(one))
    : field.value;

/** How a value of a field is said, where it is not the field's own. */
function wordsOf(field: RecordField): FieldWords {
  const shown = (value: unknown): string => {
    if (field.kind === "date") return formatDay(String(value));
    if (field.kind === "money") return formatMoney(Number(value), field.currency);
    const other = { ...field, shown: undefined, value } as RecordField;
    return String(shownOf(other));
  };
  return { label: field.label, shown, isList: field.kind === "choices" || field.kind === "words" };
}

function shownOf(field: RecordField): ComponentChildren {
  const { yes, no } = text().form;
  if (field.shown !== undefined) return field.shown;
  switch (field.kind) {
    case "choice":
      return field.options.find(({ value }) => value === field.value)?.label ?? field.value ?? "";
    case "choices":
      return field.options
        .filter(({ value }) => field.value.includes(value))
        .map(({ label }) => label)
        .join(", ");
    case "words":
      return field.value.join(", ");
    case "yes-or-no":
      return field.value ? yes : no;
    default:
      return String(field.value ?? "");
  }
}

function Control({ field, draft }: { field: RecordField; draft: Draft }) {
  const { name, label, hint, required, wide } = field;
  const common = { name, label, hint, required, wide };
  switch (field.kind) {
    case "choice":
      return <SelectField {...common} required={required ?? true} value={draft.words} options={field.options} />;
    case "choices":
      return <ChoicesField {...common} value={draft.chosen} options={field.options} />;
    case "yes-or-no":
      return (
        <div class="wide">
          <CheckField name={name} label={label} value={draft.isOn} />
        </div>
      );
    case "integer":
      return (
        <TextField {...common} value={draft.words} type="number" inputMode="numeric" min={field.min} max={field.max} />
      );
    case "money":
      return (
        <TextField
          {...common}
          value={draft.words}
          inputMode="decimal"
          pattern={amountPattern}
          aside={<span class="quiet small">{field.currency}</span>}
        />
      );
    case "words":
      return <TextField {...common} value={draft.words} />;
    default: {
      const { kind: type, maxLength, multiline, pattern } = field;
      return <TextField {...common} {...{ type, maxLength, multiline, pattern }} value={draft.words} />;
    }
  }
}
