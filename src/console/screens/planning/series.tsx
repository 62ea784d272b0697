/** A booking that is repeated each week: what fits and what clashes is shown before it is booked. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NewPlanningSeries, PlanningSeries } from "../../api/operations.ts";
import { dayOf, formatDayName, formatWeekday } from "../../app/format.ts";
import { dayAfter } from "../../app/local-time.ts";
import { CheckField, ChoicesField, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import type { Row } from "./rows.ts";
import { sentenceOf } from "./verdict.tsx";
import { planningText } from "./words.ts";

export interface Repeat {
  /** The first day. */
  day: string;
  isOn: Signal<boolean>;
  weekdays: Signal<readonly string[]>;
  until: Signal<string>;
  skip: Signal<boolean>;
  /** What the dry run said; `undefined` before, and after something was changed. */
  tried: Signal<PlanningSeries | undefined>;
}

/** @param day on which it begins @param last on which it ends, at first @param key changes with what is booked */
export function useRepeat(day: string, last: string, key: string): Repeat {
  const repeat = {
    day,
    isOn: useSignal(false),
    weekdays: useSignal<readonly string[]>([String(weekdayOf(day))]),
    until: useSignal(last),
    skip: useSignal(true),
    tried: useSignal<PlanningSeries | undefined>(undefined),
  };
  useEffect(() => {
    repeat.tried.value = undefined;
  }, [key, repeat.weekdays.value, repeat.until.value, repeat.skip.value]);
  return repeat;
}

type Once = Omit<NewPlanningSeries, "from_on" | "weekdays" | "from_time" | "minutes">;

/** What is sent for the series. */
export const seriesOf = (
  once: Once,
  { weekdays, until, skip }: Repeat,
  first: { day: string; time: string; minutes: number },
  dry_run: boolean,
): NewPlanningSeries => ({
  ...once,
  from_on: first.day,
  until_on: until.value,
  weekdays: weekdays.value.map(Number).sort(),
  from_time: first.time,
  minutes: first.minutes,
  on_conflict: skip.value || dry_run ? "skip" : "refuse",
  dry_run,
});

/** On how many days it would be. */
function daysOf({ day, weekdays, until }: Repeat): number {
  let count = 0;
  for (let one = day; one <= until.value; one = dayAfter(one))
    if (weekdays.value.includes(String(weekdayOf(one)))) count += 1;
  return count;
}

const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

export function RepeatFields({ repeat, rows }: { repeat: Repeat; rows: readonly Row[] }) {
  const words = planningText();
  const tried = repeat.tried.value;
  const clashes = [...Map.groupBy(tried?.conflicts ?? [], ({ start_at }) => dayOf(new Date(start_at)))];
  const count = daysOf(repeat) - (tried?.sessions.length ?? 0);
  return (
    <>
      <CheckField name="repeat" label={words.repeat.title} value={repeat.isOn} />
      {repeat.isOn.value && (
        <div class="fields close">
          <ChoicesField
            name="weekdays"
            label={words.repeat.weekdays}
            value={repeat.weekdays}
            options={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: formatDayName(day, "short") }))}
          />
          <TextField name="until_on" label={words.repeat.lastDay} type="date" value={repeat.until} required />
        </div>
      )}
      {repeat.isOn.value && <CheckField name="on_conflict" label={words.repeat.skip} value={repeat.skip} />}
      {tried && (
        <section class="form" aria-live="polite">
          <p>
            <strong>{words.repeat.fits(tried.sessions.length)}</strong>
            {count > 0 && `, ${words.repeat.clashes(count)}`}
          </p>
          {clashes.length > 0 && (
            <Rows
              label={words.repeat.clashes(count)}
              empty=""
              rows={clashes.map(([day, all]) => ({
                id: day,
                title: formatWeekday(day),
                detail: [...new Set(all.map((one) => sentenceOf(one, rows)))].join("; "),
              }))}
            />
          )}
        </section>
      )}
    </>
  );
}
