/** What is missing of a training, and which records the student lacks. */
import type { RevisionMinima, TrainingProgress } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { useTypeNames } from "../compliance/type-names.ts";
import { amountIn, nameIn } from "./meters.tsx";
import { trainingText } from "./words.ts";

interface MissingProps {
  progress: TrainingProgress;
  /** Of the revision: what a flight must be to count. */
  minima: RevisionMinima;
}

export function Missing({ progress, minima: required }: MissingProps) {
  const words = trainingText();
  const namesOf = useTypeNames();
  const { missing, compliance, items, theory, minima } = progress;
  const said = (what: TrainingProgress["missing"][number]) => {
    const { minima: names } = text().person;
    if (what === "items")
      return { label: words.missingKinds.items, value: words.missingItems(items.total - items.done) };
    if (what === "skill_test") return { label: words.missingKinds.skill_test, value: words.yes };
    if (what === "theory") {
      const left = (theory?.subjects ?? []).filter(({ passed_on }) => passed_on === null).length;
      return { label: words.missingKinds.theory, value: left === 0 ? words.yes : words.missingTheory(left) };
    }
    const minimum = minima.find(({ name }) => name === what);
    if (what === "age") return { label: names.age, value: words.missingYears(minimum?.required ?? 0) };
    const measured = required.find(({ measure }) => measure === what) ?? { measure: what };
    return {
      label: nameIn({ ...measured, simulator_minutes_at_most: null }),
      value: amountIn(measured, minimum?.missing ?? 0),
    };
  };
  return (
    <Section title={words.missing}>
      {missing.length === 0 ? (
        <p>{words.nothingMissing}</p>
      ) : (
        <div class="counts">
          <Facts facts={missing.map(said)} />
        </div>
      )}
      {compliance.reasons.length > 0 && (
        <>
          <h3>{words.recordsNotMet}</h3>
          <div class="counts">
            <Facts
              facts={compliance.reasons.map(({ any_of, state }) => ({
                label: namesOf(any_of),
                value: words.recordStates[state],
              }))}
            />
          </div>
        </>
      )}
    </Section>
  );
}
