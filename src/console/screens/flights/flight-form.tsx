/** The entry of a flight: by keyboard alone, or by two thumbs. It is saved behind, in this browser at once and on the server when it can. */
import { useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { randomKey } from "../../api/client.ts";
import type { Flight } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { zone } from "../../app/format.ts";
import { forgetDraft, keepDraft } from "../../app/kept-drafts.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call, client } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { CrewClearance } from "./crew-clearance.tsx";
import { CrewFields, type CrewRow, rowOf } from "./crew-fields.tsx";
import { bodyOf, type Entry, natures } from "./entry.ts";
import { CounterFields, fieldsOf, LandingFields, RemarkFields, TimeFields, typedIn } from "./flight-fields.tsx";
import { useKnown } from "./known.ts";
import { LessonField } from "./lesson-field.tsx";
import { hasNoTimes, Oddities } from "./parts.tsx";
import { usePrefill } from "./prefill.ts";
import { Price } from "./price.tsx";
import { createSaving, type Kept } from "./saving.ts";
import { SavingState, useSavingBehind } from "./saving-state.tsx";
import { SupervisorField } from "./supervisor-field.tsx";

interface FlightFormProps {
  /** Its name among what this browser keeps. */
  draft: string;
  start: Kept;
  /** As the server has it. */
  known?: Flight;
}

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
    typed: typedIn(fields),
    crew: crew.value.map((row) => ({ person: row.person.value, function: row.function.value })),
    landings: start.entry.landings,
  }));
  const body = useComputed(() => bodyOf(entry.value, zone(), prefilled.value));

  const isNew = stored === undefined ? start.flightId === undefined : hasNoTimes(stored);
  usePrefill({ fields, crew, known, prefilled, isNew });
  useSavingBehind({ saving, entry, body: () => body.value, isOff: isSubmitted });

  const leave = async (flight: Flight, said: string) => {
    await forgetDraft(draft);
    await changed("/flights", "/finance/flights");
    toast(said, { label: words.another, run: () => go(`/app/flights/new?after=${flight.id}`) });
    go(`/app/flights/${flight.id}`);
  };
  const submit = async () => {
    const flight = await saving.save(body.value);
    if (!isSubmitted) await submitOnce(flight.id);
    await leave(flight, isSubmitted ? words.saved : words.submitted);
  };
  const saveDraft = async () => leave(await saving.save(body.value), words.draftSaved);

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
          <SupervisorField
            crew={body.value.crew ?? []}
            known={known}
            value={fields.supervisorId}
            onSearch={(typed) => {
              searched.value = typed;
            }}
          />
          <LessonField crew={body.value.crew ?? []} value={fields.lessonId} />
          <TimeFields fields={fields} places={known.placeOptions} body={body.value} />
          <CounterFields fields={fields} />
          <LandingFields fields={fields} />
          <RemarkFields fields={fields} />
        </div>
        <div class="form entry-aside">
          <SavingState saving={saving} isOff={isSubmitted} />
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
