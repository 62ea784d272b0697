/** What a draft says of itself: from when on it is in effect, by which rule, and whether it ends with a skill test. */
import { useId } from "preact/hooks";
import { Section } from "../../ui/section.tsx";
import type { Draft } from "./draft.ts";
import { trainingText } from "./words.ts";

export function RevisionFields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const words = trainingText();
  const [from, basis] = [useId(), useId()];
  return (
    <Section title={words.thisRevision}>
      <div class="field">
        <label for={from}>{words.effectiveFrom}</label>
        <input
          id={from}
          class="input"
          type="date"
          value={draft.effective_from}
          required
          onInput={({ currentTarget: { value } }) => {
            if (value !== "") onChange({ ...draft, effective_from: value });
          }}
        />
      </div>
      <div class="field">
        <label for={basis}>{words.legalBasis}</label>
        <textarea
          id={basis}
          class="input"
          maxLength={1000}
          value={draft.legal_basis}
          onInput={({ currentTarget }) => onChange({ ...draft, legal_basis: currentTarget.value })}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.skill_test}
          onChange={({ currentTarget }) => onChange({ ...draft, skill_test: currentTarget.checked })}
        />
        {words.endsWithTest}
      </label>
    </Section>
  );
}
