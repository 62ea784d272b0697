/** What is done of a training against what is required, as bars up to their limit. */
import type { TrainingProgress } from "../../api/operations.ts";
import { formatCount, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import type { Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";

type Minimum = TrainingProgress["minima"][number];

/** An amount of a measure: hours and minutes, or a count. */
export const amountOf = (name: string, amount: number): string =>
  name.endsWith("_minutes") ? formatDuration(amount) : formatCount(amount);

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
