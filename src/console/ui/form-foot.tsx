/** The foot of a form about one thing: the button that sends it, and the one that removes the thing. */
import { Button } from "./button.tsx";
import { Submit } from "./form.tsx";

interface FormFootProps {
  submit: string;
  remove: string;
  /** Undefined: there is nothing yet, or it stays. */
  onRemove: (() => void) | undefined;
}

export const FormFoot = ({ submit, remove, onRemove }: FormFootProps) => (
  <div class="form-actions">
    <Submit>{submit}</Submit>
    {onRemove && (
      <Button kind="danger" onClick={onRemove}>
        {remove}
      </Button>
    )}
  </div>
);
