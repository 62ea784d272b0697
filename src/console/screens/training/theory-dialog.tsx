/** The rules of the theory exams of a draft. */
import { type Signal, useSignal } from "@preact/signals";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import type { TheoryRules } from "./draft.ts";
import { trainingText } from "./words.ts";

interface TheoryDialogProps {
  /** Null: there are none yet. */
  theory: TheoryRules | null;
  onSet: (theory: TheoryRules) => void;
  onRemove: () => void;
  onClose: () => void;
}

export function TheoryDialog({ theory, onSet, onRemove, onClose }: TheoryDialogProps) {
  const { theory: words, legalBasis, apply } = trainingText();
  const pass = useSignal(String(theory?.pass_percent ?? ""));
  const attempts = useSignal(String(theory?.attempts ?? ""));
  const sittings = useSignal(String(theory?.sittings ?? ""));
  const months = useSignal(String(theory?.months ?? ""));
  const valid = useSignal(String(theory?.valid_months ?? ""));
  const basis = useSignal(theory?.legal_basis ?? "");
  const set = async () =>
    onSet({
      pass_percent: Number(pass.value),
      attempts: Number(attempts.value),
      sittings: sittings.value.trim() === "" ? null : Number(sittings.value),
      months: Number(months.value),
      valid_months: Number(valid.value),
      legal_basis: basis.value.trim(),
    });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form onSubmit={set} isKept>
        <CountField name="pass_percent" label={words.pass} value={pass} max="100" autoFocus />
        <CountField name="attempts" label={words.attempts} hint={words.attemptsHint} value={attempts} max="20" />
        <CountField
          name="sittings"
          label={words.sittings}
          hint={words.sittingsHint}
          value={sittings}
          max="50"
          required={false}
        />
        <CountField name="months" label={words.months} hint={words.monthsHint} value={months} max="120" />
        <CountField name="valid_months" label={words.valid} hint={words.validHint} value={valid} max="240" />
        <TextField name="legal_basis" label={legalBasis} value={basis} maxLength={200} required />
        {theory !== null && <p class="quiet small">{words.removeHint}</p>}
        <FormFoot submit={apply} remove={words.remove} onRemove={theory === null ? undefined : onRemove} />
      </Form>
    </Dialog>
  );
}

interface CountFieldProps {
  name: string;
  label: string;
  hint?: string;
  value: Signal<string>;
  max: string;
  required?: boolean;
  autoFocus?: boolean;
}

const CountField = ({ required = true, ...field }: CountFieldProps) => (
  <TextField {...field} type="number" inputMode="numeric" min="1" required={required} />
);
