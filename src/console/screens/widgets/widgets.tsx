/** All widgets on one page, for those who write screens. In development only; its words are in English only. */
import { useSignal } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

const tones: readonly Tone[] = ["good", "warn", "bad", "info", "neutral"];
const people = [
  "Łukasz Groß",
  "Søren Ørsted",
  "Anna Berg",
  "Ann-Kathrin Müller",
  "<b>Bold</b> O’Neil",
  "مرحبا ‮ Sam",
].map((label, index) => ({ value: String(index), label, detail: index % 2 === 0 ? "Student" : "Instructor" }));
const airfields = ["EDFE", "EDKB", "LOAV"].map((label) => ({ value: label, label }));
const refusal = new Problem(409, {
  error: { code: "CONFLICT", message: "The flight is approved.", request_id: "01890a5d" },
});

export default function Widgets() {
  const isOpen = useSignal(false);
  const name = useSignal("");
  const email = useSignal("");
  const choice = useSignal("a");
  const checked = useSignal(true);
  const person = useSignal("");
  const airfield = useSignal("EDKB");
  return (
    <>
      <h1>Widgets</h1>
      <section class="form" aria-labelledby="buttons">
        <h2 id="buttons">Buttons</h2>
        <div class="form-actions">
          <Button kind="primary">Primary</Button>
          <Button>Usual</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="plain">Plain</Button>
          <Button icon="plus">With an icon</Button>
          <Button icon="close" iconOnly>
            Only an icon
          </Button>
          <Button busyText="Working…" onClick={() => new Promise((resolve) => setTimeout(resolve, 1500))}>
            Takes a while
          </Button>
          <Button onClick={() => toast("The flight is rejected.", { label: "Undo", run: () => toast("Undone.") })}>
            Toast
          </Button>
          <Button
            onClick={() => {
              isOpen.value = true;
            }}
          >
            Dialog
          </Button>
        </div>
      </section>
      <section class="form" aria-labelledby="badges">
        <h2 id="badges">States</h2>
        <div class="form-actions">
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        <ProblemNotice error={refusal} retry={() => undefined} />
        <Skeleton />
        <Empty title="Nothing here yet" action={<Button kind="primary">Add the first</Button>}>
          A sentence that says how to begin.
        </Empty>
      </section>
      <section class="form" aria-labelledby="forms">
        <h2 id="forms">A form</h2>
        <Form
          onSubmit={async () => {
            toast(`Saved ${name.value}.`);
          }}
        >
          <div class="fields">
            <TextField name="name" label="Name" value={name} required minLength={3} hint="At least three letters." />
            <TextField name="email" label="E-mail address" type="email" value={email} />
            <SelectField
              name="choice"
              label="Choice"
              value={choice}
              options={[
                { value: "a", label: "The first" },
                { value: "b", label: "The second, which is longer" },
              ]}
            />
            <Combobox name="person" label="Person" value={person} options={people} required />
            <Combobox
              name="airfield"
              label="Airfield"
              value={airfield}
              options={airfields}
              other={(typed) => typed.trim().toUpperCase()}
              maxLength={4}
            />
          </div>
          <CheckField name="checked" label="A choice of yes or no" value={checked} />
          <div class="form-actions">
            <Submit>Save</Submit>
          </div>
        </Form>
      </section>
      {isOpen.value && (
        <Dialog
          title="A dialog"
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <p>Escape, the cross and a click beside it close it.</p>
        </Dialog>
      )}
    </>
  );
}
