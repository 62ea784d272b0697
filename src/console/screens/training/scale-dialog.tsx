/** A grading scale: its code, and its grades in their order, of which at least one passes. */
import { useSignal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type DraftGrade, type DraftScale, newKey, nextCode } from "./draft.ts";
import { checkRows, faultAt, rowField } from "./fault-at.ts";
import { RowInput } from "./row-input.tsx";
import { Sortable } from "./sortable.tsx";
import { trainingText } from "./words.ts";

interface ScaleDialogProps {
  scale: DraftScale;
  others: readonly DraftScale[];
  isKnown: boolean;
  /** How many exercises are graded by it. */
  uses: number;
  onSet: (scale: DraftScale) => void;
  onRemove: (scale: DraftScale) => void;
  onClose: () => void;
}

export function ScaleDialog({ scale, others, isKnown, uses, onSet, onRemove, onClose }: ScaleDialogProps) {
  const all = trainingText();
  const words = all.scales;
  const code = useSignal(scale.code);
  const grades = useSignal<readonly DraftGrade[]>(scale.grades);
  const fault = useSignal("");
  const set = async () => {
    const next = code.value.trim();
    fault.value = "";
    if (others.some((one) => one.code === next)) throw faultAt("code", words.codeTaken);
    checkRows(grades.value, words.gradeTaken);
    if (!grades.value.some(({ passed }) => passed)) {
      fault.value = words.onePasses;
      return;
    }
    const typed = grades.value.map((one) => ({ ...one, code: one.code.trim(), name: one.name.trim() }));
    onSet({ ...scale, code: next, grades: typed });
  };
  const edit = (key: string, part: Partial<DraftGrade>) => {
    grades.value = grades.value.map((one) => (one.key === key ? { ...one, ...part } : one));
  };
  return (
    <Dialog title={isKnown ? `${all.scale} ${scale.code}` : words.add} onClose={onClose} wide>
      <Form onSubmit={set} isKept>
        <TextField
          name="code"
          label={all.code}
          hint={words.codeHint}
          value={code}
          maxLength={40}
          required
          autoFocus={!isKnown}
        />
        <fieldset class="group">
          <legend class="group-title">{words.grades}</legend>
          <Sortable
            label={words.grades}
            rows={grades.value}
            nameOf={(one) => `${one.code} ${one.name}`}
            onSort={(sorted) => {
              grades.value = sorted;
            }}
          >
            {(grade, at) => (
              <GradeFields
                {...{ grade, at }}
                isOnly={grades.value.length === 1}
                onEdit={(part) => edit(grade.key, part)}
                onRemove={() => {
                  grades.value = grades.value.filter(({ key }) => key !== grade.key);
                }}
              />
            )}
          </Sortable>
          {fault.value !== "" && (
            <div class="notice bad" role="alert">
              {fault.value}
            </div>
          )}
          {grades.value.length < mostGrades && (
            <div>
              <Button
                icon="plus"
                onClick={() => {
                  const next = { key: newKey(), code: nextCode(grades.value), name: "", passed: true };
                  grades.value = [...grades.value, next];
                }}
              >
                {words.addGrade}
              </Button>
            </div>
          )}
        </fieldset>
        {isKnown && uses > 0 && <p class="quiet small">{words.inUse(uses)}</p>}
        <FormFoot
          submit={all.apply}
          remove={words.remove}
          onRemove={isKnown && uses === 0 ? () => onRemove(scale) : undefined}
        />
      </Form>
    </Dialog>
  );
}

const mostGrades = 20;

interface GradeFieldsProps {
  grade: DraftGrade;
  at: number;
  isOnly: boolean;
  onEdit: (part: Partial<DraftGrade>) => void;
  onRemove: () => void;
}

function GradeFields({ grade, at, isOnly, onEdit, onRemove }: GradeFieldsProps) {
  const { scales: words } = trainingText();
  const name = `${grade.code} ${grade.name}`.trim();
  return (
    <div class="item-fields grade">
      <RowInput
        name={rowField(grade, "code")}
        label={words.gradeCode(at + 1)}
        value={grade.code}
        maxLength={40}
        onType={(code) => onEdit({ code })}
      />
      <RowInput
        name={rowField(grade, "name")}
        label={words.gradeName(at + 1)}
        value={grade.name}
        maxLength={120}
        onType={(name) => onEdit({ name })}
      />
      <label class="check">
        <input
          type="checkbox"
          aria-label={words.passesWith(name)}
          checked={grade.passed}
          onChange={({ currentTarget }) => onEdit({ passed: currentTarget.checked })}
        />
        {words.passes}
      </label>
      {!isOnly && (
        <Button kind="plain" icon="close" iconOnly onClick={onRemove}>
          {words.removeGrade(name)}
        </Button>
      )}
    </div>
  );
}
