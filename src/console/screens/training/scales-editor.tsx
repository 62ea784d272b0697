/** The grading scales of a draft, by one of which each exercise is graded. */
import { useSignal } from "@preact/signals";
import { Rows } from "../../ui/rows.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import { type Draft, type DraftScale, gradedBy, newKey, nextCode, withScale } from "./draft.ts";
import { ScaleDialog } from "./scale-dialog.tsx";
import { trainingText } from "./words.ts";

export function ScalesEditor({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { scales: words } = trainingText();
  const { scales } = draft;
  const editing = useSignal<DraftScale | undefined>(undefined);
  const close = () => {
    editing.value = undefined;
  };
  return (
    <SectionWithAdd
      title={words.title}
      add={words.add}
      onAdd={() => {
        const grade = { key: newKey(), code: "1", name: "", passed: true };
        editing.value = { key: newKey(), code: nextCode(scales), grades: [grade] };
      }}
    >
      <Rows
        label={words.title}
        empty={words.none}
        most={20}
        rows={scales.map((scale) => ({
          id: scale.key,
          title: scale.code,
          detail: [gradesIn(scale), words.usedBy(gradedBy(draft, scale))].join(" · "),
          onOpen: () => {
            editing.value = scale;
          },
        }))}
      />
      {editing.value && (
        <ScaleDialog
          scale={editing.value}
          others={scales.filter(({ key }) => key !== editing.value?.key)}
          isKnown={scales.some(({ key }) => key === editing.value?.key)}
          uses={gradedBy(draft, editing.value)}
          onSet={(scale) => {
            onChange(withScale(draft, scale));
            close();
          }}
          onRemove={({ key }) => {
            onChange({ ...draft, scales: scales.filter((one) => one.key !== key) });
            close();
          }}
          onClose={close}
        />
      )}
    </SectionWithAdd>
  );
}

/** The grades of a scale in one line. */
export const gradesIn = ({ grades }: { grades: readonly { code: string; name: string }[] }): string =>
  grades.map(({ code, name }) => (code === name ? code : `${code} ${name}`)).join(" · ");
