/** The enrollment itself: its days, the plan, remarks, and earlier training that counts. */
import { useSignal } from "@preact/signals";
import type { Enrollment, EnrollmentChange } from "../../api/operations.ts";
import { change, type Save } from "../../app/change.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { EditableRecord } from "../../ui/record.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { CreditFields, creditOf, useCredit } from "./credit-fields.tsx";
import { isOwn } from "./may-record.ts";
import { amountIn } from "./meters.tsx";
import { trainingText } from "./words.ts";

type Credit = Enrollment["credits"][number];

const saveOf =
  ({ id }: Enrollment): Save<EnrollmentChange> =>
  async (body, seen) => {
    await change("/orgs/{orgId}/training/enrollments/{enrollmentId}", { enrollmentId: id }, body, seen);
    await changed("/training");
  };

export function EnrollmentFacts({ enrollment }: { enrollment: Enrollment }) {
  const words = trainingText();
  const { started_on, planned_start_on, planned_end_on, remarks, ended_on } = enrollment;
  return (
    <EditableRecord<EnrollmentChange>
      title={words.enrollment}
      of={enrollment}
      canEdit={may("training:manage") && ended_on === null}
      onSave={saveOf(enrollment)}
      fields={[
        {
          ...{ kind: "date", name: "started_on", label: words.startedOn, required: true },
          ...{ value: started_on, shown: formatDay(started_on) },
        },
        {
          ...{ kind: "date", name: "planned_start_on", label: words.plannedStart },
          ...{ value: planned_start_on, shown: planned_start_on && formatDay(planned_start_on) },
        },
        {
          ...{ kind: "date", name: "planned_end_on", label: words.plannedEnd },
          ...{ value: planned_end_on, shown: planned_end_on && formatDay(planned_end_on) },
        },
        {
          ...{ kind: "text", name: "remarks", label: words.remarks, value: remarks },
          ...{ maxLength: 2000, multiline: true, wide: true },
        },
      ]}
    />
  );
}

export function Credits({ enrollment }: { enrollment: Enrollment }) {
  const words = trainingText();
  const { minima } = text().person;
  const isAdding = useSignal(false);
  const { credits, ended_on } = enrollment;
  const canEdit = may("training:manage") && ended_on === null && !isOwn(enrollment);
  const close = () => {
    isAdding.value = false;
  };
  const save = (next: readonly Credit[], before = enrollment) =>
    saveOf(enrollment)(
      { credits: [...next] },
      {
        before,
        fields: { credits: { label: words.credits, isList: true, shown: (list) => saidOf(list as Credit[]) } },
      },
    );
  const remove = async (credit: Credit) => {
    const left = credits.filter((one) => one !== credit);
    await save(left);
    toast(words.creditRemoved, {
      label: text().actions.undo,
      run: () => save(credits, { ...enrollment, credits: left }),
    });
  };
  if (credits.length === 0 && !canEdit) return null;
  return (
    <Section
      title={words.credits}
      actions={
        canEdit && (
          <Button
            kind="plain"
            onClick={() => {
              isAdding.value = true;
            }}
          >
            {words.addCredit}
          </Button>
        )
      }
    >
      <Rows
        label={words.credits}
        empty={words.noCredits}
        rows={credits.map((credit, at) => ({
          id: `${at} ${credit.measure}`,
          title: `${minima[credit.measure]}: ${amountIn(credit, credit.amount)}`,
          detail: <span class="as-written">{credit.reason}</span>,
          aside: (
            <>
              {credit.source && <Badge tone="good">{words.fromPack}</Badge>}
              {canEdit && (
                <Button kind="plain" icon="close" iconOnly onClick={() => remove(credit)}>
                  {words.removeCredit(minima[credit.measure])}
                </Button>
              )}
            </>
          ),
        }))}
      />
      {isAdding.value && <AddCredit onClose={close} onAdd={(credit) => save([...credits, credit])} />}
    </Section>
  );
}

const saidOf = (credits: readonly Credit[]): string =>
  credits.map((credit) => `${text().person.minima[credit.measure]}: ${amountIn(credit, credit.amount)}`).join("; ");

function AddCredit({ onClose, onAdd }: { onClose: () => void; onAdd: (credit: Credit) => Promise<void> }) {
  const words = trainingText();
  const credit = useCredit();
  return (
    <Dialog title={words.addCredit} onClose={onClose}>
      <p class="quiet">{words.creditHint}</p>
      <Form
        onSubmit={async () => {
          await onAdd(creditOf(credit));
          onClose();
        }}
      >
        <CreditFields credit={credit} />
        <div class="form-actions">
          <Submit>{words.addCredit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
