/** Short messages about what was done, with the way back where there is one. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";
import { readingTime } from "./reading-time.ts";
import { unbroken } from "./unbroken.tsx";

interface Toast {
  id: number;
  message: string;
  action?: { label: string; run: () => unknown };
}

const toasts = signal<readonly Toast[]>([]);
let count = 0;

export function toast(message: string, action?: Toast["action"]): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value.slice(-2), { id, message, ...(action && { action }) }];
  setTimeout(() => dismiss(id), readingTime(message, action !== undefined));
}

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

/** Room between the messages and what is above them, in pixels. */
const gap = 16;

/** The page knows how high the messages are. What is in use is not left behind them. */
function makeRoom(messages: HTMLElement): void {
  // Without a message nothing is measured: when the page begins, that would lay all of it out.
  const height = toasts.peek().length === 0 ? 0 : messages.getBoundingClientRect().height;
  document.documentElement.style.setProperty("--toasts", height === 0 ? "0px" : `${height + gap}px`);
  if (height > 0) document.activeElement?.scrollIntoView({ block: "nearest" });
}

export function Toasts() {
  const messages = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (messages.current) makeRoom(messages.current);
  }, [toasts.value]);
  return (
    <div class="toasts" role="status" aria-live="polite" ref={messages}>
      {toasts.value.map(({ id, message, action }) => (
        <div key={id} class="toast">
          <span>{unbroken(message)}</span>
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
