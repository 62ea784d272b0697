/** One lesson of a draft: its code and kind, what must come first, and its exercises in their order. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoicesField, Form, SelectField, TextField } from "../../ui/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type Draft, type DraftItem, type DraftLesson, type DraftScale, newKey, nextCode } from "./draft.ts";
import { checkRows, faultAt, rowField } from "./fault-at.ts";
import { RowInput } from "./row-input.tsx";
import { Sortable } from "./sortable.tsx";
import { trainingText } from "./words.ts";

interface LessonEditorProps {
  lesson: DraftLesson;
  draft: Draft;
  onSet: (lesson: DraftLesson) => void;
  onRemove: (lesson: DraftLesson) => void;
  onClose: () => void;
}

const kinds = ["dual", "solo", "simulator", "ground"] as const;

export function LessonEditor({ lesson, draft, onSet, onRemove, onClose }: LessonEditorProps) {
  const words = trainingText();
  const code = useSignal(lesson.code);
  const name = useSignal(lesson.name);
  const kind = useSignal<string>(lesson.kind);
  const phase = useSignal(lesson.phase ?? "");
  const requires = useSignal<readonly string[]>(lesson.requires ?? []);
  const items = useSignal<readonly DraftItem[]>(lesson.items);
  const added = useRef<string>(undefined);
  const at = draft.lessons.findIndex(({ key }) => key === lesson.key);
  const earlier = at === -1 ? draft.lessons : draft.lessons.slice(0, at);
  const isKnown = at !== -1;
  const set = async () => {
    const isTaken = draft.lessons.some((one) => one.key !== lesson.key && one.code === code.value.trim());
    if (isTaken) throw faultAt("code", words.codeTaken);
    checkRows(items.value, words.itemCodeTaken);
    const isSolo = kind.value === "solo";
    onSet({
      ...lesson,
      code: code.value.trim(),
      name: name.value.trim(),
      kind: kinds.find((one) => one === kind.value) ?? "dual",
      phase: phase.value === "" ? null : phase.value,
      requires: [...requires.value],
      items: items.value.map((item) => ({ ...item, milestone: isSolo ? (item.milestone ?? null) : null })),
    });
    onClose();
  };
  const edit = (key: string, part: Partial<DraftItem>) => {
    items.value = items.value.map((item) => (item.key === key ? { ...item, ...part } : item));
  };
  const addItem = () => {
    // Not the code of one that was removed: its grades would count for the new one.
    const code = nextCode([...lesson.items, ...items.value]);
    const scale = draft.scales[0]?.code ?? "";
    added.current = newKey();
    items.value = [...items.value, { key: added.current, code, name: "", scale, milestone: null }];
  };
  return (
    <Dialog title={isKnown ? `${lesson.code} ${lesson.name}` : words.addLesson} onClose={onClose} wide>
      <Form onSubmit={set} isKept>
        <div class="fields close">
          <TextField name="name" label={words.name} value={name} maxLength={200} required wide autoFocus={!isKnown} />
          <TextField name="code" label={words.code} value={code} maxLength={40} required />
          <SelectField
            name="kind"
            label={words.lessonKind}
            value={kind}
            options={kinds.map((value) => ({ value, label: words.lessonKinds[value] }))}
          />
          <SelectField
            name="phase"
            label={words.phase}
            value={phase}
            required={false}
            options={[
              { value: "", label: words.noPhase },
              ...draft.phases.map((one) => ({ value: one.code, label: one.name })),
            ]}
          />
        </div>
        {earlier.length > 0 && (
          <details>
            <summary>
              {requires.value.length > 0 ? words.requires(requires.value.join(", ")) : words.requiresNothing}
            </summary>
            <ChoicesField
              name="requires"
              label={words.comesFirst}
              value={requires}
              options={earlier.map((one) => ({ value: one.code, label: `${one.code} ${one.name}` }))}
            />
          </details>
        )}
        <fieldset class="group">
          <legend class="group-title">{words.exercisesHead}</legend>
          <Sortable
            label={words.exercisesHead}
            rows={items.value}
            nameOf={(item) => `${item.code} ${item.name}`}
            onSort={(sorted) => {
              items.value = sorted;
            }}
          >
            {(item) => (
              <ItemFields
                item={item}
                isNew={item.key === added.current}
                scales={draft.scales}
                isSolo={kind.value === "solo"}
                onEdit={(part) => edit(item.key, part)}
                onRemove={() => {
                  items.value = items.value.filter(({ key }) => key !== item.key);
                }}
              />
            )}
          </Sortable>
          <div>
            <Button icon="plus" onClick={addItem}>
              {words.addExercise}
            </Button>
          </div>
        </fieldset>
        <FormFoot
          submit={words.apply}
          remove={words.removeLesson}
          onRemove={
            isKnown
              ? () => {
                  onRemove(lesson);
                  onClose();
                }
              : undefined
          }
        />
      </Form>
    </Dialog>
  );
}

const milestones = ["first_solo", "first_solo_cross_country"] as const;

interface ItemFieldsProps {
  item: DraftItem;
  /** Its name is typed next. */
  isNew: boolean;
  scales: readonly DraftScale[];
  isSolo: boolean;
  onEdit: (part: Partial<DraftItem>) => void;
  onRemove: () => void;
}

function ItemFields({ item, isNew, scales, isSolo, onEdit, onRemove }: ItemFieldsProps) {
  const words = trainingText();
  const named = (what: string) => `${what}: ${item.code} ${item.name}`;
  return (
    <div class="item-fields">
      <RowInput
        name={rowField(item, "code")}
        label={named(words.code)}
        value={item.code}
        maxLength={40}
        onType={(code) => onEdit({ code })}
      />
      <RowInput
        name={rowField(item, "name")}
        label={named(words.exercise)}
        value={item.name}
        maxLength={200}
        isNext={isNew}
        onType={(name) => onEdit({ name })}
      />
      {scales.length > 1 && (
        <select
          class="input"
          aria-label={named(words.scale)}
          value={item.scale}
          onChange={({ currentTarget }) => onEdit({ scale: currentTarget.value })}
        >
          {scales.map(({ code }) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </select>
      )}
      {isSolo && (
        <select
          class="input"
          aria-label={named(words.milestone)}
          value={item.milestone ?? ""}
          onChange={({ currentTarget }) =>
            onEdit({ milestone: milestones.find((one) => one === currentTarget.value) ?? null })
          }
        >
          <option value="">{words.noMilestone}</option>
          {milestones.map((milestone) => (
            <option key={milestone} value={milestone}>
              {words.milestones[milestone]}
            </option>
          ))}
        </select>
      )}
      <Button kind="plain" icon="close" iconOnly onClick={onRemove}>
        {named(words.removeExercise)}
      </Button>
    </div>
  );
}
