/** What is lacking for a revalidation, as bars up to what is needed, and the way to the records that are missing and to the next one. */
import type { PersonRevalidations } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
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

/** What is missing as a record, by the key of its type. The rest is flown. */
const recordTypes: Partial<Record<Item["missing"][number]["what"], string>> = {
  refresher_training: "fi_seminar",
  assessment_of_competence: "fi_assessment",
};

/** A record that is entered: one that is missing, or the one that follows another. */
export type Entering = { type: string } | { recordId: string };

interface RevalidationItemProps {
  item: Item;
  /** Undefined for those who may only read. */
  enter: ((what: Entering) => void) | undefined;
}

export function RevalidationItem({ item, enter }: RevalidationItemProps) {
  const words = complianceText();
  const { compliance } = text();
  const { kind, state, record_id, until, counts_from, missing, how_many, obligatory, begin_by, source } = item;
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
        {/* The LAPL goes on by itself. */}
        {enter && state === "met" && kind !== "lapl_a" && (
          <Button kind="plain" onClick={() => enter({ recordId: record_id })}>
            {compliance.renew}
            <span class="visually-hidden"> {words.kinds[kind]}</span>
          </Button>
        )}
      </p>
      <p class="quiet small">{facts.filter(Boolean).join(" · ")}</p>
      {state !== "met" &&
        missing.map((one) => {
          const { what, amount, needed } = one;
          const said = saidOf(one);
          const type = recordTypes[what];
          return (
            <div key={what} class="metered-line">
              <Bar
                label={`${words.kinds[kind]}, ${words.what[what]}`}
                value={needed - amount}
                max={needed}
                {...{ said, tone }}
              />
              <span class="small metered-said">
                <span>
                  {words.what[what]}: {said}
                  {how_many < missing.length && obligatory.includes(what) && ` (${words.obligatory})`}
                </span>
                {enter && type !== undefined && (
                  <Button kind="plain" onClick={() => enter({ type })}>
                    {compliance.enterAction}
                    <span class="visually-hidden"> {words.what[what]}</span>
                  </Button>
                )}
              </span>
            </div>
          );
        })}
      {state !== "met" && how_many < missing.length && <p class="small quiet">{words.someOf(how_many)}</p>}
    </div>
  );
}
