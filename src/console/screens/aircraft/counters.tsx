/** The counters of an aircraft. Flights move them; a correction has a reason, which stands in their history. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Aircraft, CounterCorrection } from "../../api/operations.ts";
import type { Merging, Seen } from "../../app/change.ts";
import {
  formatCount,
  formatCounter,
  formatDate,
  formatDuration,
  signed,
  signedDuration,
  writeHours,
} from "../../app/format.ts";
import { text } from "../../app/language.ts";
import type { Values } from "../../app/merge.ts";
import { useResource } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { InPlace } from "../../ui/in-place.tsx";
import { ReadingFields, readingsIn, useReadings } from "../../ui/reading-fields.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface CountersProps {
  aircraftId: string;
  /** Until it is known, its corrections are loaded already. */
  aircraft: Aircraft | undefined;
  canEdit: boolean;
  save: (fields: Values, seen: Seen & Merging) => Promise<void>;
}

export function Counters({ aircraftId, aircraft, canEdit, save }: CountersProps) {
  const { aircraft: words } = text();
  const corrections = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/counter-corrections", {
    path: { aircraftId },
  }).data?.data;
  if (!aircraft)
    return (
      <Section title={words.counters}>
        <Skeleton lines={4} />
      </Section>
    );
  const { hobbs, tacho, airframe_minutes, landings } = aircraft;
  return (
    <InPlace
      title={words.counters}
      action={words.correct}
      canEdit={canEdit}
      form={(onEnd) => <Correction {...{ aircraft, save, onEnd }} />}
    >
      <dl class="figures">
        <Figure label={words.hobbs} value={formatCounter(hobbs)} />
        <Figure label={words.tacho} value={formatCounter(tacho)} />
        <Figure label={words.airframe} value={formatDuration(airframe_minutes)} />
        <Figure label={words.landings} value={formatCount(landings)} />
      </dl>
      {corrections && <Corrections corrections={corrections} />}
    </InPlace>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

/** What was corrected, and why. What flights added is in the journey log. */
function Corrections({ corrections }: { corrections: readonly CounterCorrection[] }) {
  const { aircraft: words } = text();
  if (corrections.length === 0) return null;
  return (
    <>
      <h3>{words.corrections}</h3>
      <Rows
        label={words.corrections}
        empty=""
        most={2}
        rows={corrections.map((one) => ({
          id: one.id,
          title: addedBy(one),
          detail: `${formatDate(one.corrected_at)} · ${one.reason}`,
        }))}
      />
    </>
  );
}

/** `Hobbs +5.75, Airframe −0:30` */
function addedBy({ hobbs, tacho, airframe_minutes, landings }: CounterCorrection): string {
  const { aircraft: words } = text();
  const hours = (label: string, by: string) =>
    Number(by) !== 0 && `${label} ${signed(formatCounter(String(Math.abs(Number(by)))), Number(by) < 0)}`;
  return [
    hours(words.hobbs, hobbs),
    hours(words.tacho, tacho),
    airframe_minutes !== 0 && `${words.airframe} ${signedDuration(airframe_minutes)}`,
    landings !== 0 && `${words.landings} ${signed(formatCount(Math.abs(landings)), landings < 0)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

interface CorrectionProps extends Pick<CountersProps, "save"> {
  aircraft: Aircraft;
  onEnd: () => void;
}

function Correction({ aircraft, save, onEnd }: CorrectionProps) {
  const { aircraft: words, actions } = text();
  const readings = useReadings({
    hobbs: writeHours(aircraft.hobbs),
    tacho: writeHours(aircraft.tacho),
    airframe: formatDuration(aircraft.airframe_minutes),
    landings: String(aircraft.landings),
  });
  const reason = useSignal("");
  const before = useMemo(() => aircraft, []);
  const submit = async () => {
    const { hobbs, tacho, airframe_minutes, landings } = readingsIn(readings);
    // A counter that somebody else moves meanwhile stays as it is, unless this is about it.
    const corrected = {
      ...(hobbs !== undefined && hobbs !== before.hobbs && { hobbs }),
      ...(tacho !== undefined && tacho !== before.tacho && { tacho }),
      ...(airframe_minutes !== undefined && airframe_minutes !== before.airframe_minutes && { airframe_minutes }),
      ...(landings !== undefined && landings !== before.landings && { landings }),
    };
    const counter = (value: unknown) => formatCounter(String(value));
    await save(corrected, {
      before,
      fields: {
        hobbs: { label: words.hobbs, shown: counter },
        tacho: { label: words.tacho, shown: counter },
        airframe_minutes: { label: words.airframe, shown: (value) => formatDuration(Number(value)) },
        landings: { label: words.landings, shown: (value) => formatCount(Number(value)) },
      },
      bodyOf: (counters) => ({ counters: { reason: reason.value, ...counters } }),
    });
    toast(actions.saved);
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.counters}>
      <p class="quiet small">{words.correctHint}</p>
      <div class="fields">
        <ReadingFields readings={readings} prefix="counters." />
        <TextField name="counters.reason" label={words.reason} value={reason} required wide />
      </div>
      <div class="form-actions">
        <Submit>{actions.save}</Submit>
        <Button kind="plain" onClick={onEnd}>
          {actions.cancel}
        </Button>
      </div>
    </Form>
  );
}
