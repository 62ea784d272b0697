/** Earlier training that counts: what, how much, and why. */
import { type Signal, useSignal } from "@preact/signals";
import type { Enrollment } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { countPattern, durationPattern, readCount, readDuration } from "../../app/readings.ts";
import { SelectField, TextField } from "../../ui/form.tsx";
import { trainingText } from "./words.ts";

type Credit = Enrollment["credits"][number];

const measures = [
  "dual_minutes",
  "solo_minutes",
  "total_minutes",
  "landings",
  "solo_landings",
  "cross_country_minutes",
  "dual_cross_country_minutes",
  "solo_cross_country_minutes",
  "long_cross_country",
  "night_minutes",
  "dual_night_minutes",
  "solo_night_landings",
  "instrument_minutes",
  "simulator_minutes",
  "ground_minutes",
] as const satisfies readonly Credit["measure"][];

interface TypedCredit {
  measure: Signal<string>;
  amount: Signal<string>;
  reason: Signal<string>;
}

export const useCredit = (): TypedCredit => ({
  measure: useSignal<string>(measures[0]),
  amount: useSignal(""),
  reason: useSignal(""),
});

export const isTyped = ({ amount, reason }: TypedCredit): boolean => amount.value !== "" || reason.value !== "";

/** What is folded away, as far as it is typed. */
export function CreditSummary({ credit: { measure, amount } }: { credit: TypedCredit }) {
  const { earlierTraining } = trainingText();
  const name = text().person.minima[measure.value as Credit["measure"]];
  return <summary>{amount.value === "" ? earlierTraining : `${earlierTraining}: ${name} ${amount.value}`}</summary>;
}

export function creditOf({ measure: typed, amount, reason }: TypedCredit): Credit {
  const measure = measures.find((one) => one === typed.value) ?? measures[0];
  const read = measure.endsWith("_minutes") ? readDuration : readCount;
  return { measure, amount: read(amount.value.trim()), reason: reason.value };
}

export function CreditFields({ credit: { measure, amount, reason } }: { credit: TypedCredit }) {
  const words = trainingText();
  const { minima } = text().person;
  const isTime = measure.value.endsWith("_minutes");
  return (
    <>
      <div class="fields close">
        <SelectField
          name="credits.measure"
          label={words.measure}
          value={measure}
          options={measures.map((value) => ({ value, label: minima[value] }))}
        />
        <TextField
          name="credits.amount"
          label={isTime ? words.hours : words.count}
          value={amount}
          inputMode={isTime ? "text" : "numeric"}
          pattern={isTime ? durationPattern : countPattern}
          format={isTime ? "airframe_hours" : "whole_number"}
          placeholder={isTime ? "12:30" : "1"}
          required
        />
      </div>
      <TextField name="credits.reason" label={words.creditReason} value={reason} maxLength={1000} required multiline />
    </>
  );
}
