/** What a person lacks for a revalidation, as bars up to what is needed. */
import type { PersonRevalidations } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { complianceText } from "./words.ts";

export type Item = PersonRevalidations["items"][number];

/** Days ahead of the last day to begin from which on it is urgent. */
const soon = 90;

/** Bad: it is too late to begin at three hours a week. */
export function toneOf({ state, begin_by }: Item): Tone {
  if (state === "met") return "good";
  if (state === "not_open") return "neutral";
  const left = begin_by === null ? 0 : daysUntil(begin_by);
  return left < 0 ? "bad" : left <= soon ? "warn" : "info";
}

/** How much of what is needed there is. */
export function saidOf({ what, amount, needed }: Item["missing"][number]): string {
  const words = complianceText();
  const shown = (value: number) => (what.endsWith("_minutes") ? formatDuration(value) : String(value));
  return needed === 1 ? words.lacks : words.reached(shown(needed - amount), shown(needed));
}

export function RevalidationItem({ item }: { item: Item }) {
  const words = complianceText();
  const { kind, state, until, counts_from, missing, how_many, obligatory, begin_by, source } = item;
  const tone = toneOf(item);
  const facts = [
    until === null ? words.missingNow : words.until(formatDay(until)),
    state === "not_open" && words.countsFrom(formatDay(counts_from)),
    state === "missing" && begin_by !== null && words.beginBy(formatDay(begin_by)),
    source?.article,
  ];
  return (
    <div class="metered">
      <p class="title-line">
        <strong>{words.kinds[kind]}</strong>
        <Badge tone={tone}>{words.revalidationStates[state]}</Badge>
      </p>
      <p class="quiet small">{facts.filter(Boolean).join(" · ")}</p>
      {state !== "met" &&
        missing.map((one) => {
          const { what, amount, needed } = one;
          const said = saidOf(one);
          return (
            <div key={what} class="metered-line">
              <Bar
                label={`${words.kinds[kind]}, ${words.what[what]}`}
                value={needed - amount}
                max={needed}
                {...{ said, tone }}
              />
              <span class="small">
                {words.what[what]}: {said}
                {how_many < missing.length && obligatory.includes(what) && ` (${words.obligatory})`}
              </span>
            </div>
          );
        })}
      {state !== "met" && how_many < missing.length && <p class="small quiet">{words.someOf(how_many)}</p>}
    </div>
  );
}
