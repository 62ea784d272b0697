/** The part of a combobox that Zag.js moves: keys, focus and the place of the list follow the WAI-ARIA pattern. */
import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import * as zag from "@zag-js/combobox";
import { normalizeProps, useMachine } from "@zag-js/preact";
import { useEffect, useMemo } from "preact/hooks";
import { text } from "../app/language.ts";
import type { Given } from "./form.tsx";
import { Icon } from "./icon.tsx";
import type { Option } from "./option.ts";

export interface ComboboxInputProps {
  given: Given;
  value: Signal<string>;
  options: readonly Option[];
  find: (typed: string) => readonly Option[];
  other?: ((typed: string) => string) | undefined;
  onType?: ((typed: string) => void) | undefined;
  onChoose?: ((value: string) => unknown) | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  "data-format"?: string | undefined;
  autoFocus?: boolean | undefined;
}

type Action = NonNullable<NonNullable<(typeof zag.machine)["implementations"]>["actions"]>[string];

const focusField: Action = ({ scope }) => scope.getById(scope.ids?.input)?.focus({ preventScroll: true });

/**
 * Zag.js writes the text of the field after a delay, and takes back letters that were typed in between: here the field's text is that of
 * the component, which knows each letter as it is typed. Zag.js moves the focus and the caret with the next frame, when the user may be
 * in another field: here the focus is moved at once.
 */
const machine: typeof zag.machine = {
  ...zag.machine,
  implementations: {
    ...zag.machine.implementations,
    actions: {
      ...zag.machine.implementations?.actions,
      syncInputValue: () => undefined,
      setInitialFocus: focusField,
      setFinalFocus: focusField,
    },
  },
};

export function ComboboxInput({
  given,
  value,
  options,
  find,
  other,
  onType,
  onChoose,
  autoFocus,
  ...input
}: ComboboxInputProps) {
  const words = text().combobox;
  /** What is being typed; `undefined` while the text is that of the value. */
  const typed = useSignal<string | undefined>(undefined);
  /** What was typed by somebody who went on before the options were here: the first that it finds is taken then. */
  const left = useSignal<string | undefined>(undefined);
  const chosen = options.find((option) => option.value === value.value);
  const shown = typed.value ?? chosen?.label ?? left.value ?? (other ? value.value : "");
  const found = find(typed.value ?? "");
  const collection = useMemo(
    () =>
      zag.collection({
        items: [...found],
        itemToValue: (option) => option.value,
        itemToString: (option) => option.label,
      }),
    [typed.value, options],
  );

  const choose = (next: string) => {
    typed.value = undefined;
    left.value = undefined;
    if (next === value.peek()) return;
    value.value = next;
    onChoose?.(next);
  };

  const type = (written: string) => {
    typed.value = written;
    left.value = undefined;
    onType?.(written);
    const next = written === "" ? "" : other?.(written);
    if (next === undefined || next === value.peek()) return;
    value.value = next;
    onChoose?.(next);
  };

  useEffect(() => {
    if (left.peek() === undefined || options.length === 0) return;
    const [taken] = find(left.peek() ?? "");
    left.value = undefined;
    if (taken) choose(taken.value);
  }, [options]);

  const service = useMachine(machine, {
    id: given.id,
    ids: { input: given.id, label: `${given.id}-label` },
    collection,
    value: value.value === "" ? [] : [value.value],
    inputValue: shown,
    inputBehavior: "autohighlight",
    openOnClick: true,
    allowCustomValue: other !== undefined,
    positioning: { strategy: "fixed", sameWidth: true, gutter: 4, flip: true },
    translations: { triggerLabel: words.open, clearTriggerLabel: words.clear },
    onValueChange: ({ value: [next] }) => {
      if (next !== undefined) choose(next);
    },
    onOpenChange: ({ open }) => {
      if (!open) typed.value = undefined;
    },
  });
  const api = zag.connect(service, normalizeProps);

  // Browsers heed the attribute at the load of a page only.
  useEffect(() => {
    if (autoFocus) document.getElementById(given.id)?.focus();
  }, []);

  return (
    <div {...api.getRootProps()} class="combobox">
      <div {...api.getControlProps()} class="combobox-control">
        <input
          {...api.getInputProps()}
          {...given}
          {...input}
          type="text"
          role="combobox"
          aria-expanded={api.open}
          class="input"
          spellcheck={false}
          value={shown}
          onInputCapture={({ currentTarget }) => type(currentTarget.value)}
          onBlurCapture={() => {
            typed.value = undefined;
            service.send({ type: "LAYER.INTERACT_OUTSIDE", src: "interact-outside", restoreFocus: false });
          }}
          onKeyDownCapture={(event) => {
            const written = typed.peek();
            if (!written || !(event.key === "Enter" || (event.key === "Tab" && !event.shiftKey))) return;
            // Whoever goes on takes what is found: a beginning and the tabulator are enough, also before the list is shown.
            const candidates = find(written);
            const taken = candidates.find((option) => option.value === api.highlightedValue) ?? candidates[0];
            if (taken) choose(taken.value);
            else if (options.length === 0 && !other) left.value = written;
            if (event.key !== "Enter") return;
            event.preventDefault();
            api.setOpen(false);
          }}
        />
        <button {...api.getTriggerProps()} type="button" class="combobox-trigger" tabIndex={-1}>
          <Icon name="down" size={14} />
        </button>
      </div>
      <div {...api.getPositionerProps()}>
        <div {...api.getContentProps()} hidden={!api.open || found.length === 0} class="combobox-list">
          {found.map((option) => (
            <div key={option.value} {...api.getItemProps({ item: option })}>
              <span>{option.label}</span>
              {option.detail !== undefined && <span class="quiet">{option.detail}</span>}
            </div>
          ))}
        </div>
        {api.open && found.length === 0 && other === undefined && (
          <p class="combobox-list quiet" role="status">
            {words.none}
          </p>
        )}
      </div>
    </div>
  );
}
