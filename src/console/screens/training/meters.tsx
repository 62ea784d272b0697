/** What is done of a training against what is required, as bars up to their limit. */
import type { RevisionMinima, TrainingProgress } from "../../api/operations.ts";
import { formatCount, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import type { Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { trainingText } from "./words.ts";

type Minimum = TrainingProgress["minima"][number];

/** An amount of a measure as it is typed: hours and minutes, or a count. */
export const amountOf = (name: string, amount: number): string =>
  name.endsWith("_minutes") ? formatDuration(amount) : formatCount(amount);

type Measured = Pick<RevisionMinima[number], "measure"> & Partial<RevisionMinima[number]>;

/** An amount as it is read: what is counted is said where the measure's name leaves it open. */
export function amountIn({ measure }: Pick<Measured, "measure">, amount: number): string {
  const words = trainingText();
  if (measure === "age") return words.years(amount);
  return measure === "long_cross_country" ? words.flightCount(amount) : amountOf(measure, amount);
}

/** What counts: what a long cross-country must be, and how much of the flight time may be in a simulator. */
export function conditionsOf({ distance_km, full_stops_elsewhere, simulator_minutes_at_most }: Measured): string {
  const words = trainingText();
  return [
    distance_km && words.atLeastKm(formatCount(distance_km)),
    full_stops_elsewhere && words.stopsElsewhere(full_stops_elsewhere),
    typeof simulator_minutes_at_most === "number" && words.simulatorAtMost(formatDuration(simulator_minutes_at_most)),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The measure with what counts for it. */
export const nameIn = (minimum: Measured): string =>
  [text().person.minima[minimum.measure], conditionsOf(minimum)].filter(Boolean).join(", ");

/** What has a length to go: neither an age nor a single flight. */
export const isMeter = ({ name }: Minimum): boolean => name !== "age" && name !== "long_cross_country";

export const Minima = ({ minima }: { minima: readonly Minimum[] }) => (
  <>
    {minima.filter(isMeter).map(({ name, required, done }) => (
      <Metered
        key={name}
        label={text().person.minima[name]}
        value={done ?? 0}
        max={required}
        said={`${amountOf(name, done ?? 0)} / ${amountOf(name, required)}`}
      />
    ))}
  </>
);

interface MeteredProps {
  label: string;
  value: number;
  max: number;
  said: string;
  tone?: Tone;
  /** What stands there by now if the plan is followed. */
  mark?: number;
}

export function Metered({ label, value, max, said, tone = value >= max ? "good" : "info", mark }: MeteredProps) {
  return (
    <div class="metered">
      <div>
        <span>{label}</span>
        <span class="quiet">{said}</span>
      </div>
      <Bar {...{ label, value, max, said, tone, ...(mark !== undefined && { mark }) }} />
    </div>
  );
}
