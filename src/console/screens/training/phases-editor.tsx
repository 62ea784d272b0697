/** The phases of a draft, in their order. */
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { type Draft, newKey, withoutPhase, withPhase } from "./draft.ts";
import { Sortable } from "./sortable.tsx";
import { trainingText } from "./words.ts";

export function PhasesEditor({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const words = trainingText();
  const add = () => {
    const taken = new Set(draft.phases.map(({ code }) => code));
    let next = draft.phases.length + 1;
    while (taken.has(String(next))) next += 1;
    onChange(withPhase(draft, { key: newKey(), code: String(next), name: words.newPhase(next) }));
  };
  return (
    <Section
      title={words.phases}
      actions={
        <Button kind="plain" icon="plus" onClick={add}>
          {words.addPhase}
        </Button>
      }
    >
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
    </Section>
  );
}
