/** The fields of a flight's entry, in their groups. Short ones stand side by side. */
import { batch, type Signal, signal } from "@preact/signals";
import type { FlightDraft } from "../../api/operations.ts";
import { formatDuration, inUtc, zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { clockAt, timeOf } from "../../app/local-time.ts";
import { hoursPattern } from "../../app/readings.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { TextField } from "../../ui/form.tsx";
import type { Option } from "../../ui/option.ts";
import { bodyOf, lengthsOf, type Typed } from "./entry.ts";

export type Fields = { readonly [Name in keyof Typed]: Signal<string> };

export const fieldsOf = (typed: Typed): Fields =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, signal(value)])) as Fields;

export const typedIn = (fields: Fields): Typed =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.value])) as unknown as Typed;

const kinds = {
  time: {
    inputMode: "numeric",
    pattern: String.raw`\s*([01]?\d|2[0-3])[:.\s]?[0-5]\d\s*[zZ]?\s*`,
    format: "time",
    placeholder: "hh:mm",
    maxLength: 7,
  },
  number: { inputMode: "numeric", pattern: "\\d{1,3}", format: "whole_number", maxLength: 3 },
  hours: { inputMode: "decimal", pattern: hoursPattern, format: "hours", maxLength: 10 },
  litres: { inputMode: "decimal", pattern: hoursPattern, format: "decimal", maxLength: 10 },
  duration: {
    inputMode: "text",
    pattern: "(\\d{1,2}:)?\\d{1,4}",
    format: "duration",
    placeholder: "h:mm",
    maxLength: 5,
  },
} as const;

interface ShortFieldProps {
  /** The name in the body of the request. */
  name: string;
  label: string;
  value: Signal<string>;
  kind: keyof typeof kinds;
  required?: boolean;
}

/** Most of them are optional: none says so. */
const ShortField = ({ kind, ...field }: ShortFieldProps) => <TextField {...field} aside="" {...kinds[kind]} />;

interface TimeFieldsProps {
  fields: Fields;
  places: readonly Option[];
  body: FlightDraft;
}

export function TimeFields({ fields, places, body }: TimeFieldsProps) {
  const { flights: words } = text();
  const { block, airborne } = lengthsOf(body);
  const withTimes = () => {
    for (const field of [fields.offBlock, fields.takeOff, fields.landing, fields.onBlock])
      field.value = timeOf(field.value) ?? field.value;
  };
  const place = {
    ...{ options: places, other: toPlace, placeholder: "ICAO", pattern: placePattern, format: "place" },
    required: fields.nature.value !== "simulator",
  };
  return (
    <fieldset class="group" onFocusOut={withTimes}>
      <legend class="group-title">{words.times}</legend>
      <div class="fields tight">
        <Combobox name="departure" label={words.departure} value={fields.departure} {...place} />
        <ShortField kind="time" name="off_block_at" label={words.offBlock} value={fields.offBlock} required />
        <ShortField kind="time" name="take_off_at" label={words.takeOff} value={fields.takeOff} />
        <ShortField kind="time" name="landing_at" label={words.landing} value={fields.landing} />
        <ShortField kind="time" name="on_block_at" label={words.onBlock} value={fields.onBlock} required />
        <Combobox name="arrival" label={words.arrival} value={fields.arrival} {...place} />
      </div>
      <div class="lengths-row">
        <dl class="lengths" aria-live="polite">
          <div>
            <dt>{words.block}</dt>
            <dd>{lengthOr(block)}</dd>
          </div>
          <div>
            <dt>{words.airborne}</dt>
            <dd>{lengthOr(airborne)}</dd>
          </div>
        </dl>
        <div class="group-aside">
          <span class="quiet small">{words.timesIn(zone())}</span>
          <Button
            pressed={inUtc.value}
            onClick={() => {
              inZone(fields, !inUtc.peek());
            }}
          >
            UTC
          </Button>
        </div>
      </div>
    </fieldset>
  );
}

/** In any case: it is written in capitals when it is chosen. */
const placePattern = "[A-Za-z][A-Za-z0-9]{3}";
const toPlace = (typed: string): string => typed.trim().toUpperCase();
const lengthOr = (minutes: number | undefined): string => (minutes === undefined ? "–" : formatDuration(minutes));

/** Shows the times in another zone. What was typed is the same instant. */
function inZone(fields: Fields, isUtc: boolean): void {
  const { off_block_at, take_off_at, landing_at, on_block_at } = bodyOf(
    { typed: typedIn(fields), crew: [] },
    zone(),
    [],
  );
  batch(() => {
    inUtc.value = isUtc;
    const show = (field: Signal<string>, instant: string | null | undefined) => {
      if (instant) field.value = clockAt(instant, zone()).time;
    };
    if (off_block_at) fields.day.value = clockAt(off_block_at, zone()).day;
    show(fields.offBlock, off_block_at);
    show(fields.takeOff, take_off_at);
    show(fields.landing, landing_at);
    show(fields.onBlock, on_block_at);
  });
}

export function CounterFields({ fields }: { fields: Fields }) {
  const { flights: words } = text();
  const { hobbs, tacho } = words;
  return (
    <fieldset class="group">
      <legend class="group-title">{words.counters}</legend>
      <div class="fields tight pairs">
        <ShortField kind="hours" name="hobbs_start" label={words.before(hobbs)} value={fields.hobbsStart} />
        <ShortField kind="hours" name="hobbs_end" label={words.after(hobbs)} value={fields.hobbsEnd} />
        <ShortField kind="hours" name="tacho_start" label={words.before(tacho)} value={fields.tachoStart} />
        <ShortField kind="hours" name="tacho_end" label={words.after(tacho)} value={fields.tachoEnd} />
      </div>
    </fieldset>
  );
}

/** The landings, and what else is counted in a flight. */
export function LandingFields({ fields }: { fields: Fields }) {
  const { flights: words } = text();
  return (
    <fieldset class="group">
      <legend class="group-title">{words.landings}</legend>
      <div class="fields tight">
        <ShortField kind="number" name="day_landings" label={words.dayLandings} value={fields.dayLandings} />
        <ShortField kind="number" name="night_landings" label={words.nightLandings} value={fields.nightLandings} />
        <ShortField kind="duration" name="night_minutes" label={words.nightMinutes} value={fields.night} />
        <ShortField kind="duration" name="ifr_minutes" label={words.ifrMinutes} value={fields.ifr} />
        <ShortField kind="number" name="passengers" label={words.passengers} value={fields.passengers} />
        <ShortField kind="litres" name="fuel_uplift_litres" label={words.fuelLitres} value={fields.fuel} />
        <ShortField kind="litres" name="oil_uplift_litres" label={words.oilLitres} value={fields.oil} />
      </div>
    </fieldset>
  );
}

export function RemarkFields({ fields }: { fields: Fields }) {
  const { flights: words } = text();
  const several = { multiline: true, maxLength: 2000 };
  return (
    <div class="fields">
      <TextField name="remarks" label={words.remarks} value={fields.remarks} {...several} />
      <TextField
        name="workshop_remarks"
        label={words.workshopRemarks}
        value={fields.workshopRemarks}
        hint={words.workshopHint}
        {...several}
      />
    </div>
  );
}
