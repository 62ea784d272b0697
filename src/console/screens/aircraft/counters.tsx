/** The counters of an aircraft. Flights move them; a correction has a reason, which the audit log keeps. */
import { useSignal } from "@preact/signals";
import type { Aircraft, AircraftChange } from "../../api/operations.ts";
import { formatCount, formatCounter, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Button } from "../../ui/button.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { InPlace } from "../../ui/in-place.tsx";
import { toast } from "../../ui/toast.tsx";

interface CountersProps {
  aircraft: Aircraft;
  canEdit: boolean;
  save: (change: AircraftChange) => Promise<void>;
}

export function Counters({ aircraft, canEdit, save }: CountersProps) {
  const { aircraft: words } = text();
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
    </InPlace>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

const hours = "[0-9]+([.,][0-9]{1,2})?";

function Correction({ aircraft, save, onEnd }: Pick<CountersProps, "aircraft" | "save"> & { onEnd: () => void }) {
  const { aircraft: words, actions } = text();
  const hobbs = useSignal(aircraft.hobbs);
  const tacho = useSignal(aircraft.tacho);
  const airframe = useSignal(formatDuration(aircraft.airframe_minutes));
  const landings = useSignal(String(aircraft.landings));
  const reason = useSignal("");
  const submit = async () => {
    const read = {
      hobbs: readHours(hobbs.value),
      tacho: readHours(tacho.value),
      airframe_minutes: readDuration(airframe.value),
      landings: Number(landings.value),
    };
    await save({
      counters: {
        reason: reason.value,
        // A counter that somebody else moves meanwhile stays as it is, unless this is about it.
        ...(read.hobbs !== aircraft.hobbs && { hobbs: read.hobbs }),
        ...(read.tacho !== aircraft.tacho && { tacho: read.tacho }),
        ...(read.airframe_minutes !== aircraft.airframe_minutes && { airframe_minutes: read.airframe_minutes }),
        ...(read.landings !== aircraft.landings && { landings: read.landings }),
      },
    });
    toast(actions.saved);
    onEnd();
  };
  return (
    <Form onSubmit={submit} label={words.counters}>
      <p class="quiet small">{words.correctHint}</p>
      <div class="fields">
        <TextField name="counters.hobbs" label={words.hobbs} value={hobbs} pattern={hours} inputMode="decimal" />
        <TextField name="counters.tacho" label={words.tacho} value={tacho} pattern={hours} inputMode="decimal" />
        <TextField
          name="counters.airframe_minutes"
          label={words.airframe}
          value={airframe}
          pattern="[0-9]+:[0-5][0-9]"
        />
        <TextField name="counters.landings" label={words.landings} value={landings} type="number" min="0" />
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

const readHours = (typed: string): string => Number(typed.replace(",", ".")).toFixed(2);

export function readDuration(typed: string): number {
  const [hours = "0", minutes = "0"] = typed.split(":");
  return Number(hours) * 60 + Number(minutes);
}
