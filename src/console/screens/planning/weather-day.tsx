/** A weather day: all that match are cancelled at once, after it was shown which they are. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NewPlanningCancellations, PlanningCancellations } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { clockAt } from "../../app/local-time.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoicesField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { toast } from "../../ui/toast.tsx";
import { spanOf } from "../bookings/times.ts";
import { saidOfOffers } from "./offered.ts";
import type { Row } from "./rows.ts";
import { planningText } from "./words.ts";

const kinds = ["flight", "lesson", "ground", "other"] as const;
const reasons = ["weather", "aircraft", "instructor", "school", "other"] as const;
const endOfDay = "24:00";

/** Of today the time that is left. */
const beginOf = (day: string): string => (day === today() ? clockAt(Date.now(), zone()).time : "00:00");

export interface WeatherDayProps {
  day: string;
  rows: readonly Row[];
  onClose: () => void;
}

export default function WeatherDay({ day, rows, onClose }: WeatherDayProps) {
  const words = planningText();
  const { kinds: kindNames } = text().today;
  const entry = {
    on: useSignal(day),
    from: useSignal(beginOf(day)),
    to: useSignal(""),
    kinds: useSignal<readonly string[]>(["flight", "lesson"]),
    flownOnly: useSignal(true),
    aircraft: useSignal(""),
    instructor: useSignal(""),
    reason: useSignal("weather"),
    note: useSignal(""),
    offers: useSignal(true),
  };
  const found = useSignal<PlanningCancellations | undefined>(undefined);
  const body: NewPlanningCancellations = {
    on: entry.on.value,
    from_time: entry.from.value || "00:00",
    to_time: entry.to.value || endOfDay,
    kinds: kinds.filter((kind) => entry.kinds.value.includes(kind)),
    flown_only: entry.flownOnly.value,
    aircraft_id: entry.aircraft.value || null,
    instructor_id: entry.instructor.value || null,
    reason: reasons.find((one) => one === entry.reason.value) ?? "weather",
    note: entry.note.value.trim() || null,
    offers: entry.offers.value,
  };
  // What is over today was flown: whoever means it, too, enters an earlier time.
  useEffect(() => {
    entry.from.value = beginOf(entry.on.value);
  }, [entry.on.value]);
  const key = JSON.stringify(body);
  // What was shown is no longer what would be cancelled.
  useEffect(() => {
    found.value = undefined;
  }, [key]);
  const count = found.value?.sessions.length ?? 0;
  const submit = async () => {
    const isShown = count > 0;
    const { data } = await call("POST /orgs/{orgId}/planning/cancellations", { body: { ...body, dry_run: !isShown } });
    if (!isShown) {
      found.value = data;
      return;
    }
    onClose();
    await changed("/planning", "/today");
    const offers = body.offers && (await saidOfOffers(data.sessions));
    toast([words.weather.done(data.sessions.length), offers].filter(Boolean).join(" "));
  };
  const options = (type: Row["type"]) => [
    { value: "", label: words.weather.any },
    ...rows.filter((row) => row.type === type).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Dialog title={words.weather.title} onClose={onClose} wide>
      <Form onSubmit={submit}>
        <p class="quiet">{words.weather.hint}</p>
        <div class="fields close">
          <TextField name="on" label={words.on} type="date" value={entry.on} required />
          <TextField name="from_time" label={words.from} type="time" value={entry.from} />
          <TextField name="to_time" label={words.to} type="time" value={entry.to} />
          <SelectField
            name="reason"
            label={words.weather.reason}
            value={entry.reason}
            options={reasons.map((value) => ({ value, label: words.reasons[value] }))}
          />
          <SelectField
            name="aircraft_id"
            label={words.aircraft}
            value={entry.aircraft}
            options={options("aircraft")}
            required={false}
          />
          <SelectField
            name="instructor_id"
            label={words.instructor}
            value={entry.instructor}
            options={options("instructor")}
            required={false}
          />
          <ChoicesField
            name="kinds"
            label={words.weather.kinds}
            value={entry.kinds}
            options={kinds.map((value) => ({ value, label: kindNames[value] }))}
          />
          <TextField name="note" label={words.weather.note} value={entry.note} maxLength={1000} wide />
        </div>
        <CheckField name="flown_only" label={words.weather.flownOnly} value={entry.flownOnly} />
        <CheckField name="offers" label={words.weather.offers} value={entry.offers} />
        {found.value && (
          <section class="form" aria-live="polite">
            <h3>{count === 0 ? words.weather.nothing : words.weather.found(count)}</h3>
            <Rows
              label={words.weather.found(count)}
              empty=""
              rows={found.value.sessions.map(({ id, start_at, end_at, resources }) => ({
                id,
                title: spanOf(start_at, end_at),
                detail: resources.map(({ name }) => name).join(" · "),
              }))}
            />
          </section>
        )}
        <div class="form-actions">
          {count === 0 ? (
            <Submit>{words.weather.show}</Submit>
          ) : (
            <Submit kind="danger">{words.weather.submit(count)}</Submit>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
