import type { ComponentChildren } from "preact";
import { text } from "../app/language.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, Submit } from "./form.tsx";

interface ConfirmProps {
  title: string;
  /** What it is about, as it was written. */
  about?: string;
  /** What happens then, and what can't be undone. */
  children: ComponentChildren;
  /** What the button says: what it does. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that can't be taken back. It closes when it is done; an error is shown in it. */
export const Confirm = ({ title, about, children, action, onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      onSubmit={async () => {
        await onConfirm();
        onClose();
      }}
    >
      {about !== undefined && <p class="quiet as-written">{about}</p>}
      <p>{children}</p>
      <div class="form-actions">
        <Submit>{action}</Submit>
        <Button onClick={onClose}>{text().actions.cancel}</Button>
      </div>
    </Form>
  </Dialog>
);
