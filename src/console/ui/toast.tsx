/** Short messages about what was done, with the way back where there is one. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";

interface Toast {
  id: number;
  message: string;
  action?: { label: string; run: () => unknown };
}

/** Milliseconds that a message stays: time to read it, and time to take something back. */
const stay = { message: 5000, action: 10_000 };
const toasts = signal<readonly Toast[]>([]);
let count = 0;

export function toast(message: string, action?: Toast["action"]): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value.slice(-2), { id, message, ...(action && { action }) }];
  setTimeout(() => dismiss(id), action ? stay.action : stay.message);
}

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

/** Room between the messages and what is above them, in pixels. */
const gap = 16;

/**
 * The page knows how high the messages are. On a phone, what can be pressed where a new one is moves up.
 *
 * @param before how high they were @returns how high they are
 */
function makeRoom(messages: HTMLElement, before: number): number {
  const { top, bottom, height } = messages.getBoundingClientRect();
  document.documentElement.style.setProperty("--toasts", height === 0 ? "0px" : `${height + gap}px`);
  const controls = document.querySelectorAll("main :is(a, button, input, select, textarea)");
  const isCovered = [...controls].some((control) => {
    const place = control.getBoundingClientRect();
    return place.bottom > top - gap && place.top < bottom;
  });
  if (height > before && isCovered && matchMedia("(width < 700px)").matches) scrollBy(0, height - before + gap);
  return height;
}

export function Toasts() {
  const messages = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    if (messages.current) height.current = makeRoom(messages.current, height.current);
  }, [toasts.value]);
  return (
    <div class="toasts" role="status" aria-live="polite" ref={messages}>
      {toasts.value.map(({ id, message, action }) => (
        <div key={id} class="toast">
          <span>{message}</span>
          {action && (
            <Button
              onClick={async () => {
                dismiss(id);
                await action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button icon="close" iconOnly onClick={() => dismiss(id)}>
            {text().actions.dismiss}
          </Button>
        </div>
      ))}
    </div>
  );
}
