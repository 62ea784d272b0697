import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Called when the user leaves it: by Escape, the button, or a click beside it. Without it, it can't be left. */
  onClose?: () => void;
  wide?: boolean;
  /** Nothing behind it is seen: for somebody else's eyes. */
  covers?: boolean;
  /** At the side, so that what it is about stays in view. */
  side?: boolean;
}

/** A modal dialog: the browser keeps the focus in it, and returns it afterwards. */
export function Dialog({ title, children, onClose, wide, covers, side }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    const returnCaret = caretOf(document.activeElement);
    if (current) beginAtField(current);
    current?.showModal();
    return () => {
      current?.close();
      returnCaret();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class={[wide && "wide", covers && "covers", side && "panel-side"].filter(Boolean).join(" ") || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          {onClose && (
            <Button kind="plain" icon="close" iconOnly onClick={onClose}>
              {text().app.close}
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Who opens a form wants to fill it in: its first field has the focus, if no other asks for it, and not the button that closes. */
function beginAtField(dialog: HTMLDialogElement): void {
  if (dialog.querySelector("[autofocus]")) return;
  dialog.querySelector("form :is(input, select, textarea):enabled")?.toggleAttribute("autofocus", true);
}

/**
 * Remembers where the caret is in a text field. Chromium gives a field the focus back without it, and what is typed then is lost.
 *
 * @returns puts it back, if the field has the focus; at the end, if the text is another one now
 */
function caretOf(field: Element | null): () => void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return () => undefined;
  const { value, selectionStart: from, selectionEnd: to } = field;
  return () => {
    if (from === null || document.activeElement !== field) return; // not all kinds of fields tell
    if (field.value === value) field.setSelectionRange(from, to);
    else field.setSelectionRange(field.value.length, field.value.length);
  };
}
