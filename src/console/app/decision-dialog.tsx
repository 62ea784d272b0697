/** Asks which of two values is right, where two desks have changed one field. What was typed is still in the form behind it. */
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EitherField } from "../ui/either-field.tsx";
import { Form, Submit } from "../ui/form.tsx";
import { type Dispute, decision } from "./change.ts";
import { text } from "./language.ts";

export function DecisionDialog({ disputes }: { disputes: readonly Dispute[] }) {
  const { changes: words, actions } = text();
  const chosen = useMemo(() => new Map(disputes.map(({ name }) => [name, signal("")])), []);
  const back = () => decision.answer(undefined);
  return (
    <Dialog title={words.title} onClose={back}>
      <Form
        onSubmit={async () =>
          decision.answer(Object.fromEntries([...chosen].map(([name, { value }]) => [name, value])))
        }
      >
        <p>{words.hint}</p>
        {disputes.map(({ name, label, mine, theirs, by }, index) => (
          <EitherField
            key={name}
            name={name}
            label={label}
            value={chosen.get(name) ?? signal("")}
            autoFocus={index === 0}
            options={[
              { value: "mine", label: words.yours, detail: mine },
              { value: "theirs", label: by ?? words.somebody, detail: theirs },
            ]}
          />
        ))}
        <div class="form-actions">
          <Submit>{actions.save}</Submit>
          <Button onClick={back}>{words.back}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
