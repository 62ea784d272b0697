/** Short messages about what was done, with the way back where there is one. */
import { signal } from "@preact/signals";
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

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
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
