/** The entry of a flight: by keyboard alone, or by two thumbs. It is saved behind, in this browser at once and on the server when it can. */
import { batch, type Signal, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { explain, explainIssue } from "../../app/explain.ts";
import { formatDuration, inUtc, zone } from "../../app/format.ts";
import { forgetDraft, keepDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import { clockAt, timeOf } from "../../app/local-time.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call, client } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { CrewClearance } from "./crew-clearance.tsx";
import { CrewFields, type CrewRow, likelyFunction, rowOf } from "./crew-fields.tsx";
import { bodyOf, type Entry, lengthsOf, natures, type Typed } from "./entry.ts";
import { type Known, useKnown } from "./known.ts";
import { LessonField } from "./lesson-field.tsx";
import { Oddities } from "./parts.tsx";
import { Price } from "./price.tsx";
import { createSaving, type Kept, type Saving } from "./saving.ts";

type Fields = { readonly [Name in keyof Typed]: Signal<string> };

interface FlightFormProps {
  /** Its name among what this browser keeps. */
  draft: string;
  start: Kept;
  /** As the server has it. */
  known?: Flight;
}

/** Milliseconds after the last letter, and between tries without a connection. */
const pause = 700;
const retry = 4000;

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const fieldsOf = (typed: Typed): Fields =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, signal(value)])) as Fields;

export function FlightForm({ draft, start, known: stored }: FlightFormProps) {
  const { flights: words, actions } = text();
  const fields = useMemo(() => fieldsOf(start.entry.typed), []);
  const crew = useSignal<readonly CrewRow[]>(start.entry.crew.map(rowOf));
  const searched = useSignal("");
  const prefilled = useSignal<readonly string[]>([]);
  const known = useKnown(searched.value);
  const isSubmitted = stored?.status === "submitted";

  const saving = useMemo(
    () =>
      createSaving(
        {
          keep: (kept) => keepDraft(draft, kept),
          newKey: randomKey,
          add: async (body, key) => {
            const name = "POST /orgs/{orgId}/flights";
            return (await (await client.request(name, { body }, { "idempotency-key": key })).json()).data;
          },
          change: async (flightId, body) =>
            (await call("PATCH /orgs/{orgId}/flights/{flightId}", { path: { flightId }, body })).data,
        },
        start,
        stored,
      ),
    [],
  );

  const entry = useComputed<Entry>(() => ({
    typed: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.value])) as unknown as Typed,
    crew: crew.value.map((row) => ({ person: row.person.value, function: row.function.value })),
    landings: start.entry.landings,
  }));
  const body = useComputed(() => bodyOf(entry.value, zone(), prefilled.value));

  usePrefill({ fields, crew, known, prefilled, isNew: stored === undefined && start.flightId === undefined });
  useSavingBehind({ saving, entry, body: () => body.value, isOff: isSubmitted });

  const leave = async (flight: Flight, said: string) => {
    await forgetDraft(draft);
    await changed("/flights", "/finance/flights");
    toast(said, { label: words.another, run: () => go("/app/flights/new") });
    go(`/app/flights/${flight.id}`);
  };
  const submit = async () => {
    const flight = await saving.save(body.value);
    if (!isSubmitted) await submitOnce(flight.id);
    await leave(flight, isSubmitted ? words.saved : words.submitted);
  };
  const saveDraft = async () => leave(await saving.save(body.value), words.draftSaved);

  const { block, airborne } = lengthsOf(body.value);
  const withTimes = () => {
    for (const field of [fields.offBlock, fields.takeOff, fields.landing, fields.onBlock])
      field.value = timeOf(field.value) ?? field.value;
  };
  const time = {
    inputMode: "numeric",
    pattern: "\\s*\\d{1,2}[:.]?\\d{2}\\s*[zZ]?\\s*",
    placeholder: "hh:mm",
    maxLength: 7,
  } as const;
  const number = { inputMode: "numeric", pattern: "\\d{1,3}", maxLength: 3 } as const;
  const decimal = { inputMode: "decimal", pattern: "\\d+([.,]\\d{1,2})?", maxLength: 10 } as const;
  const duration = { inputMode: "text", pattern: "(\\d{1,2}:)?\\d{1,4}", placeholder: "h:mm", maxLength: 5 } as const;
  const place = { options: known.placeOptions, other: toPlace, maxLength: 4, placeholder: "ICAO" } as const;
  return (
    <Form onSubmit={submit} label={words.add} isKept>
      <div class="entry">
        <div class="form">
          <fieldset class="group">
            <legend class="visually-hidden">{words.aircraft}</legend>
            <div class="fields close">
              <Combobox
                name="aircraft_id"
                label={words.aircraft}
                value={fields.aircraft}
                options={known.fleetOptions}
                required
                autoFocus={stored === undefined}
              />
              <TextField name="day" label={words.day} type="date" value={fields.day} required />
              <SelectField
                name="nature"
                label={words.nature}
                value={fields.nature}
                required={false}
                options={[
                  { value: "", label: words.noNature },
                  ...natures.map((value) => ({ value, label: words.natures[value] })),
                ]}
              />
            </div>
          </fieldset>
          <CrewFields
            crew={crew}
            known={known}
            onSearch={(typed) => {
              searched.value = typed;
            }}
          />
          <LessonField crew={body.value.crew ?? []} value={fields.lessonId} />
          <fieldset class="group" onFocusOut={withTimes}>
            <legend class="group-title">{words.times}</legend>
            <div class="fields tight">
              <Combobox
                name="departure"
                label={words.departure}
                value={fields.departure}
                required={isPlaceNeeded(fields)}
                {...place}
              />
              <TextField name="off_block_at" label={words.offBlock} value={fields.offBlock} required {...time} />
              <TextField name="take_off_at" label={words.takeOff} value={fields.takeOff} aside="" {...time} />
              <TextField name="landing_at" label={words.landing} value={fields.landing} aside="" {...time} />
              <TextField name="on_block_at" label={words.onBlock} value={fields.onBlock} required {...time} />
              <Combobox
                name="arrival"
                label={words.arrival}
                value={fields.arrival}
                required={isPlaceNeeded(fields)}
                {...place}
              />
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
                <span class="quiet small">{zone()}</span>
                <Button
                  kind="plain"
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
          <fieldset class="group">
            <legend class="group-title">{words.counters}</legend>
            <div class="fields tight">
              <TextField
                name="hobbs_start"
                label={words.before(words.hobbs)}
                value={fields.hobbsStart}
                aside=""
                {...decimal}
              />
              <TextField
                name="hobbs_end"
                label={words.after(words.hobbs)}
                value={fields.hobbsEnd}
                aside=""
                {...decimal}
              />
              <TextField
                name="tacho_start"
                label={words.before(words.tacho)}
                value={fields.tachoStart}
                aside=""
                {...decimal}
              />
              <TextField
                name="tacho_end"
                label={words.after(words.tacho)}
                value={fields.tachoEnd}
                aside=""
                {...decimal}
              />
            </div>
          </fieldset>
          <fieldset class="group">
            <legend class="group-title">{words.landings}</legend>
            <div class="fields tight">
              <TextField
                name="day_landings"
                label={words.dayLandings}
                value={fields.dayLandings}
                aside=""
                {...number}
              />
              <TextField
                name="night_landings"
                label={words.nightLandings}
                value={fields.nightLandings}
                aside=""
                {...number}
              />
              <TextField name="night_minutes" label={words.nightMinutes} value={fields.night} aside="" {...duration} />
              <TextField name="ifr_minutes" label={words.ifrMinutes} value={fields.ifr} aside="" {...duration} />
              <TextField name="passengers" label={words.passengers} value={fields.passengers} aside="" {...number} />
              <TextField name="fuel_uplift_litres" label={words.fuelLitres} value={fields.fuel} aside="" {...decimal} />
              <TextField name="oil_uplift_litres" label={words.oilLitres} value={fields.oil} aside="" {...decimal} />
            </div>
          </fieldset>
          <div class="fields">
            <TextField name="remarks" label={words.remarks} value={fields.remarks} multiline maxLength={2000} />
            <TextField
              name="workshop_remarks"
              label={words.workshopRemarks}
              value={fields.workshopRemarks}
              multiline
              maxLength={2000}
              hint={words.workshopHint}
            />
          </div>
        </div>
        <div class="form entry-aside">
          <State saving={saving} />
          {saving.flight.value && <Oddities flight={{ ...saving.flight.value, findings: [] }} />}
          <CrewClearance
            body={body.value}
            self={known.self?.id}
            nameOf={(id) => known.people.find((person) => person.id === id)?.name}
          />
          {saving.flight.value && <Price flight={saving.flight.value} />}
        </div>
      </div>
      <div class="form-actions">
        <Submit busyText={isSubmitted ? actions.saving : words.submitting}>
          {isSubmitted ? actions.save : words.submit}
        </Submit>
        {!isSubmitted && <Button onClick={() => saveDraft().catch(failed)}>{words.saveDraft}</Button>}
      </div>
    </Form>
  );
}

const toPlace = (typed: string): string => typed.trim().toUpperCase();
const isPlaceNeeded = ({ nature }: Fields): boolean => nature.value !== "simulator";
const lengthOr = (minutes: number | undefined): string => (minutes === undefined ? "–" : formatDuration(minutes));

/** Shows the times in another zone. What was typed is the same instant. */
function inZone(fields: Fields, isUtc: boolean): void {
  const typed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value.value]),
  ) as unknown as Typed;
  const { off_block_at, take_off_at, landing_at, on_block_at } = bodyOf({ typed, crew: [] }, zone(), []);
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

/** The answer to a submission may have been lost: then the flight is submitted already. */
async function submitOnce(flightId: string): Promise<void> {
  try {
    await call("POST /orgs/{orgId}/flights/{flightId}/submit", { path: { flightId } });
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.reason !== "wrong_status") throw problem;
    const { data } = await call("GET /orgs/{orgId}/flights/{flightId}", { path: { flightId } });
    if (data.status !== "submitted") throw problem;
  }
}

interface PrefillProps {
  fields: Fields;
  crew: Signal<readonly CrewRow[]>;
  known: Known;
  prefilled: Signal<readonly string[]>;
  isNew: boolean;
}

/** Fills in what is likely, and nothing over what was typed: the counters of the aircraft, where it is, who enters the flight. */
function usePrefill({ fields, crew, known, prefilled, isNew }: PrefillProps): void {
  const aircraft = known.aircraft.find(({ id }) => id === fields.aircraft.value);
  useEffect(() => {
    if (!aircraft) return;
    const fill = (field: Signal<string>, reading: string) => {
      const isOurs = field.peek() === "" || prefilled.peek().includes(field.peek());
      if (isNew && isOurs) field.value = Number(reading) === 0 ? "" : reading;
    };
    batch(() => {
      fill(fields.hobbsStart, aircraft.hobbs);
      fill(fields.tachoStart, aircraft.tacho);
      prefilled.value = [aircraft.hobbs, aircraft.tacho];
      if (aircraft.class === "FSTD") fields.nature.value = "simulator";
    });
  }, [aircraft?.id]);
  useEffect(() => {
    if (isNew && known.home !== undefined && fields.departure.peek() === "") fields.departure.value = known.home;
  }, [known.home]);
  useEffect(() => {
    const [row] = crew.peek();
    const { self } = known;
    if (
      !isNew ||
      !self ||
      !row ||
      row.person.peek() !== "" ||
      self.types.every((type) => type === "staff" || type === "mechanic")
    )
      return;
    batch(() => {
      row.person.value = self.id;
      row.function.value = likelyFunction(self.types, []);
    });
  }, [known.self?.id]);
}

interface SavingBehindProps {
  saving: Saving;
  entry: Signal<Entry>;
  body: () => ReturnType<typeof bodyOf>;
  /** Each change of a submitted flight is a revision of its own: it is saved when it is done. */
  isOff: boolean;
}

function useSavingBehind({ saving, entry, body, isOff }: SavingBehindProps): void {
  useSignalEffect(() => {
    const { typed } = entry.value;
    if (typed.aircraft === "" && typed.offBlock === "") return;
    void saving.keep(entry.value);
    const next = body();
    if (isOff || next.aircraft_id === "" || !next.off_block_at) return;
    let timer: ReturnType<typeof setTimeout>;
    const save = () => {
      saving.save(next).then(
        () => changed("/finance/flights"),
        () => {
          if (saving.state.peek().kind === "offline") timer = setTimeout(save, retry);
        },
      );
    };
    timer = setTimeout(save, pause);
    return () => clearTimeout(timer);
  });
}

/** Where what is typed is kept: said quietly, and loudly if it is not on the server. */
function State({ saving }: { saving: Saving }) {
  const { flights: words } = text();
  const state = saving.state.value;
  if (state.kind === "refused") {
    const issues = state.problem instanceof Problem ? state.problem.issues : [];
    const { message } = explain(state.problem);
    return (
      <div class="notice warn" role="status">
        <strong>{words.notSaved}</strong>
        {issues.length === 0 && <span>{message}</span>}
        {issues.map((issue) => (
          <span key={issue.path}>
            {words.fields[issue.path.replace(/^body\./, "").replace(/\..*$/, "")] ?? issue.path}: {explainIssue(issue)}
          </span>
        ))}
      </div>
    );
  }
  if (state.kind === "offline")
    return (
      <div class="notice warn" role="status">
        <strong>{words.offline}</strong>
        <span>{words.offlineHint}</span>
      </div>
    );
  return (
    <p class="quiet small" role="status">
      {state.kind === "saved" ? words.savedAsDraft : state.kind === "saving" ? words.savingDraft : words.notYetSaved}
    </p>
  );
}
