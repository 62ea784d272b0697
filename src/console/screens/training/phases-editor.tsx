/** The phases of a draft, in their order. */
import { Button } from "../../ui/button.tsx";
import { SectionWithAdd } from "../../ui/section-with-add.tsx";
import { type Draft, newKey, nextCode, withoutPhase, withPhase } from "./draft.ts";
import { Sortable } from "./sortable.tsx";
import { trainingText } from "./words.ts";

export function PhasesEditor({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const words = trainingText();
  const add = () => {
    const code = nextCode(draft.phases);
    onChange(withPhase(draft, { key: newKey(), code, name: words.newPhase(Number(code)) }));
  };
  return (
    <SectionWithAdd title={words.phases} add={words.addPhase} onAdd={add}>
      <Sortable
        label={words.phases}
        rows={draft.phases}
        nameOf={({ name }) => name}
        onSort={(phases) => onChange({ ...draft, phases })}
      >
        {(phase, at) => (
          <div class="item-fields no-code">
            <input
              class="input"
              aria-label={words.phaseName(at + 1)}
              value={phase.name}
              required
              maxLength={120}
              onInput={({ currentTarget }) => onChange(withPhase(draft, { ...phase, name: currentTarget.value }))}
            />
            <Button kind="plain" icon="close" iconOnly onClick={() => onChange(withoutPhase(draft, phase))}>
              {words.removePhase(phase.name)}
            </Button>
          </div>
        )}
      </Sortable>
    </SectionWithAdd>
  );
}
