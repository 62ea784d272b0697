/** Enrolls a person in a programme: in its newest revision that is published, with the plan. */
import { useSignal } from "@preact/signals";
import { today } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { usePeople } from "../people/use-people.ts";
import { CreditFields, CreditSummary, creditOf, isTyped, useCredit } from "./credit-fields.tsx";
import { useChosen } from "./use-chosen.ts";
import { trainingText } from "./words.ts";

const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed);

interface EnrollDialogProps {
  /** On the page of a person; without one, it is chosen. */
  of?: { id: string; name: string };
  onClose: () => void;
}

export function EnrollDialog({ of: known, onClose }: EnrollDialogProps) {
  const words = trainingText();
  const { people: names } = text();
  const student = useSignal(known?.id ?? "");
  const program = useSignal("");
  const revision = useSignal("");
  const startedOn = useSignal(today());
  const plannedEnd = useSignal("");
  const remarks = useSignal("");
  const hasCredit = useSignal(false);
  const credit = useCredit();
  const searched = useSignal("");
  const { people } = usePeople(searched.value);
  const programs = useResource("GET /orgs/{orgId}/training/programs", { query: { limit: 500 } });
  const revisions = useResource(
    program.value === "" ? undefined : "GET /orgs/{orgId}/training/programs/{programId}/revisions",
    { path: { programId: program.value }, query: { limit: 100 } },
  );
  const published = (revisions.data?.data ?? []).filter(({ status }) => status === "published");
  const chosen = published.find(({ id }) => id === revision.value);
  useChosen(revision, published);
  const enroll = async () => {
    const { data } = await call("POST /orgs/{orgId}/training/enrollments", {
      body: {
        student_id: student.value,
        revision_id: chosen?.id ?? "",
        started_on: startedOn.value,
        planned_end_on: orNull(plannedEnd.value),
        remarks: orNull(remarks.value),
        credits: hasCredit.value ? [creditOf(credit)] : [],
      },
    });
    onClose();
    await changed("/training", "/people");
    go(`/app/training/${data.id}`);
  };
  return (
    <Dialog title={words.enroll} onClose={onClose}>
      <Form onSubmit={enroll}>
        {known ? (
          <p>{known.name}</p>
        ) : (
          <Combobox
            name="student_id"
            label={words.student}
            value={student}
            options={people
              .filter(({ types }) => types.includes("student") || types.includes("pilot"))
              .map(({ id, name, types }) => ({
                value: id,
                label: name,
                detail: types.map((one) => names.types[one]).join(", "),
              }))}
            onType={(typed) => {
              searched.value = typed;
            }}
            required
            autoFocus
          />
        )}
        <Combobox
          name="program_id"
          label={words.program}
          value={program}
          options={(programs.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          required
          autoFocus={known !== undefined}
        />
        {program.value !== "" && revisions.data && published.length === 0 && (
          <p class="notice warn">{words.nothingPublished}</p>
        )}
        {published.length > 1 && (
          <SelectField
            name="revision_id"
            label={words.ofRevision}
            value={revision}
            options={published.map(({ id, number, effective_from }) => ({
              value: id,
              label: words.revisionFrom(number, formatDay(effective_from)),
            }))}
          />
        )}
        <div class="fields close">
          <TextField
            name="started_on"
            label={words.startedOn}
            type="date"
            value={startedOn}
            min={chosen?.effective_from}
            max={today()}
            required
          />
          <TextField
            name="planned_end_on"
            label={words.plannedEnd}
            type="date"
            value={plannedEnd}
            hint={words.planHint}
          />
        </div>
        <details
          onToggle={({ currentTarget }) => {
            // What was typed counts, also where it is folded away.
            hasCredit.value = currentTarget.open || isTyped(credit);
          }}
        >
          <CreditSummary credit={credit} />
          {hasCredit.value && (
            <div class="form spaced">
              <p class="quiet">{words.creditHint}</p>
              <CreditFields credit={credit} />
            </div>
          )}
        </details>
        <TextField name="remarks" label={words.remarks} value={remarks} maxLength={2000} multiline />
        <div class="form-actions">
          <Submit>{words.enroll}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
