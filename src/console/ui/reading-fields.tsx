/** The readings of an aircraft's counters, each a field. What stays empty is left to the server, or to the flights. */
import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { text } from "../app/language.ts";
import { countPattern, durationPattern, hoursPattern, readCount, readDuration, readHours } from "../app/readings.ts";
import { TextField } from "./form.tsx";

export interface Readings {
  hobbs: Signal<string>;
  tacho: Signal<string>;
  airframe: Signal<string>;
  landings: Signal<string>;
}

/** @param known what stands in the fields at first */
export const useReadings = (known: Partial<Record<keyof Readings, string>> = {}): Readings =>
  useMemo(
    () => ({
      hobbs: signal(known.hobbs ?? ""),
      tacho: signal(known.tacho ?? ""),
      airframe: signal(known.airframe ?? ""),
      landings: signal(known.landings ?? ""),
    }),
    [],
  );

interface Read {
  hobbs?: string;
  tacho?: string;
  airframe_minutes?: number;
  landings?: number;
}

/** What was typed. */
export const readingsIn = ({ hobbs, tacho, airframe, landings }: Readings): Read => ({
  ...(hobbs.value !== "" && { hobbs: readHours(hobbs.value) }),
  ...(tacho.value !== "" && { tacho: readHours(tacho.value) }),
  ...(airframe.value !== "" && { airframe_minutes: readDuration(airframe.value) }),
  ...(landings.value !== "" && { landings: readCount(landings.value) }),
});

interface ReadingFieldsProps {
  readings: Readings;
  /** Before the names of the counters in the body of the request. */
  prefix?: string;
}

export function ReadingFields({ readings, prefix = "" }: ReadingFieldsProps) {
  const { aircraft: words } = text();
  const { hobbs, tacho, airframe, landings } = readings;
  const hours = { pattern: hoursPattern, format: "hours", inputMode: "decimal" } as const;
  return (
    <>
      <TextField name={`${prefix}hobbs`} label={words.hobbs} value={hobbs} {...hours} />
      <TextField name={`${prefix}tacho`} label={words.tacho} value={tacho} {...hours} />
      <TextField
        name={`${prefix}airframe_minutes`}
        label={words.airframe}
        value={airframe}
        pattern={durationPattern}
        format="airframe_hours"
        placeholder="1234:30"
      />
      <TextField
        name={`${prefix}landings`}
        label={words.landings}
        value={landings}
        pattern={countPattern}
        format="whole_number"
        inputMode="numeric"
      />
    </>
  );
}
