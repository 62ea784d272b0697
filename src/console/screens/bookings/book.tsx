/** Finds the times at which an aircraft, an instructor and the caller are free, and books one of them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PlanningResources, PlanningSlot } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { dayOf, formatDuration, formatTime, formatWeekday, zone } from "../../app/format.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call, organization } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { CheckField, Form, SelectField, TextField } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { BookDialog } from "./book-dialog.tsx";
import { useNextLessons } from "./next-lessons.tsx";
import { isAtNight } from "./night.ts";
import { WhyNothing } from "./why-nothing.tsx";
import { bookingText } from "./words.ts";

const lengths = ["60", "90", "120", "180", "240"];
/** Times that are shown at first, and that one more click shows. */
const shownAtFirst = 12;
const most = 48;
/** Days that a search covers. */
const searched = 14;

export default function Book() {
  const words = bookingText();
  const personId = organization.value?.person_id;
  const resources = useResource("GET /orgs/{orgId}/planning/resources");
  if (!personId) return <Empty title={words.noPerson}>{words.noPersonHint}</Empty>;
  return (
    <>
      <div class="page-head">
        <h1>{words.bookTitle}</h1>
      </div>
      <Loaded resource={resources}>{({ data }) => <Search resources={data} personId={personId} />}</Loaded>
    </>
  );
}

/** `type:C172` is any aircraft of the type, and `aircraft:…` is this one. What is grounded says so, and comes last. */
function aircraftOptions({ aircraft }: PlanningResources): { value: string; label: string }[] {
  const words = bookingText();
  const bookable = aircraft.filter(({ status }) => status !== "archived");
  const types = [...new Set(bookable.flatMap(({ icao_type }) => icao_type ?? []))];
  const isGrounded = ({ status }: (typeof bookable)[number]) => status === "grounded";
  const options = (all: readonly { value: string; label: string; grounded: boolean }[]) =>
    all
      .toSorted((one, other) => Number(one.grounded) - Number(other.grounded))
      .map(({ value, label, grounded }) => ({ value, label: grounded ? words.grounded(label) : label }));
  return [
    ...options(
      types.map((type) => ({
        ...{ value: `type:${type}`, label: words.anyOf(type) },
        grounded: bookable.filter(({ icao_type }) => icao_type === type).every(isGrounded),
      })),
    ),
    ...options(
      bookable.map((one) => ({
        ...{ value: `aircraft:${one.id}`, label: `${one.registration} · ${one.model}` },
        grounded: isGrounded(one),
      })),
    ),
  ];
}

function chosenAircraft(value: string): { icao_type?: string; aircraft_id?: string } {
  const [kind, of = ""] = value.split(":");
  return kind === "type" ? { icao_type: of } : { aircraft_id: of };
}

function Search({ resources, personId }: { resources: PlanningResources; personId: string }) {
  const words = bookingText();
  const planes = aircraftOptions(resources);
  const others = resources.instructors.filter(({ id }) => id !== personId);
  const aircraft = useSignal(planes[0]?.value ?? "");
  const instructor = useSignal(others[0]?.id ?? "");
  const minutes = useSignal("90");
  const lesson = useSignal("");
  const lessons = useNextLessons(personId).filter(({ kind }) => kind === "dual" || kind === "solo");
  /** Without an instructor nothing of a program is trained. */
  const trains = lessons.length > 0 && instructor.value !== "";
  const proposed = lessons[0]?.id ?? "";
  useEffect(() => {
    lesson.value = proposed;
  }, [proposed]);
  const from = useSignal(today());
  const atNight = useSignal(false);
  const limit = useSignal(shownAtFirst);
  const taken = useSignal<PlanningSlot | undefined>(undefined);
  const begin = instantAt(from.value, "00:00", zone());
  /** Whether a flight at night has to be asked for: to most students it is of no use, and in winter it would be offered first. */
  const hidesNight = aircraft.value !== "" && resources.home !== null && !atNight.value;
  const wanted = {
    ...(aircraft.value !== "" && chosenAircraft(aircraft.value)),
    ...(instructor.value !== "" && { instructor_id: instructor.value }),
    minutes: Number(minutes.value),
  };
  const slots = useResource(
    begin === undefined || (aircraft.value === "" && instructor.value === "")
      ? undefined
      : "GET /orgs/{orgId}/planning/free-slots",
    {
      query: {
        ...wanted,
        student_id: personId,
        limit: hidesNight ? most : limit.value,
        ...(begin !== undefined && from.value > today() && { from: begin }),
      },
    },
  );
  useEffect(() => {
    limit.value = shownAtFirst;
  }, [aircraft.value, instructor.value, minutes.value, from.value, atNight.value]);

  const wait = () =>
    call("POST /orgs/{orgId}/planning/wishes", {
      body: {
        person_id: personId,
        icao_type: typeOf(resources, aircraft.value),
        instructor_id: instructor.value === "" ? null : instructor.value,
        minutes: wanted.minutes,
        from_at: from.value > today() && begin !== undefined ? begin : soonest(),
        until_at: instantAt(dayAfter(from.value, searched), "00:00", zone()) ?? soonest(),
      },
    }).then(async () => {
      go("/app/bookings");
      await changed("/planning/wishes");
      toast(words.waits);
    }, failed);

  return (
    <>
      <Form label={words.bookTitle} onSubmit={() => slots.reload()} isKept>
        <div class="fields close">
          <SelectField
            name="instructor_id"
            label={words.instructor}
            value={instructor}
            options={[
              ...others.map(({ id, name }) => ({ value: id, label: name })),
              ...(planes.length > 0 ? [{ value: "", label: words.alone }] : []),
            ]}
          />
          <SelectField
            name="aircraft"
            label={words.aircraft}
            value={aircraft}
            options={[...planes, ...(instructor.value === "" ? [] : [{ value: "", label: words.anyAircraft }])]}
          />
          {trains && (
            <SelectField
              name="lesson_id"
              label={words.lesson}
              value={lesson}
              options={[
                ...lessons.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` })),
                { value: "", label: words.noLesson },
              ]}
            />
          )}
          <SelectField
            name="minutes"
            label={words.minutes}
            value={minutes}
            options={lengths.map((value) => ({ value, label: `${formatDuration(Number(value))} h` }))}
          />
          <TextField name="from" label={words.from} type="date" value={from} min={today()} required />
        </div>
        {aircraft.value !== "" && resources.home !== null && (
          <CheckField name="night" label={words.alsoAtNight} value={atNight} />
        )}
      </Form>
      <Section title={words.free}>
        <Loaded resource={slots} lines={6}>
          {({ data }) => {
            const fitting = hidesNight ? data.filter((slot) => !isAtNight(slot, resources.home)) : data;
            return fitting.length === 0 ? (
              <Empty title={words.nothingFree} action={<Button onClick={wait}>{words.wait}</Button>}>
                {data.length > 0 ? (
                  words.onlyAtNight
                ) : (
                  <WhyNothing {...{ resources, personId, from: from.value, wanted }} />
                )}
              </Empty>
            ) : (
              <>
                <Days
                  slots={fitting.slice(0, limit.value)}
                  home={resources.home}
                  choose={(slot) => (taken.value = slot)}
                />
                <div class="form-actions">
                  {fitting.length >= limit.value && limit.value < most && (
                    <Button kind="plain" onClick={() => (limit.value = most)}>
                      {words.more}
                    </Button>
                  )}
                  <Button kind="plain" onClick={wait}>
                    {words.wait}
                  </Button>
                </div>
              </>
            );
          }}
        </Loaded>
      </Section>
      {taken.value && (
        <BookDialog
          chosen={taken.value}
          lessonId={trains && lesson.value !== "" ? lesson.value : undefined}
          personId={personId}
          onClose={() => {
            taken.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface DaysProps {
  slots: readonly PlanningSlot[];
  home: PlanningResources["home"];
  choose: (slot: PlanningSlot) => void;
}

/** Free times below their days. */
function Days({ slots, home, choose }: DaysProps) {
  const words = bookingText();
  const days = Map.groupBy(slots, ({ start_at }) => dayOf(new Date(start_at)));
  return [...days].map(([day, of]) => (
    <div key={day}>
      <h3>{formatWeekday(day)}</h3>
      <div class="form-actions">
        {of.map((slot) => (
          <Button key={`${slot.start_at} ${slot.aircraft?.id}`} onClick={() => choose(slot)}>
            <span class="visually-hidden">{formatWeekday(day)} </span>
            {formatTime(slot.start_at)}–{formatTime(slot.end_at)}
            <span class="quiet"> {slot.aircraft?.registration}</span>
            {slot.aircraft && isAtNight(slot, home) && <span class="quiet"> · {words.night}</span>}
          </Button>
        ))}
      </div>
    </div>
  ));
}

/** A minute from now: what has begun can't be waited for. */
const soonest = (): string => new Date(Date.now() + 60_000).toISOString();

/** People wait for a type, not for one aircraft. */
function typeOf({ aircraft }: PlanningResources, value: string): string | null {
  const { icao_type, aircraft_id } = chosenAircraft(value);
  return icao_type ?? aircraft.find(({ id }) => id === aircraft_id)?.icao_type ?? null;
}
