/** A flight as it is typed, and as the API takes it. */
import type { Flight, FlightDraft } from "../../api/operations.ts";
import { clockAt, dayAfter, instantAt, timeOf } from "../../app/local-time.ts";
import { hoursPattern, readHours } from "../../app/readings.ts";

export const functions = ["pic", "dual", "instructor", "solo", "spic", "picus", "co_pilot"] as const;
export const natures = ["training", "private", "hire", "trial", "ferry", "maintenance", "simulator"] as const;

/** All that is typed, as text. */
export interface Typed {
  day: string;
  aircraft: string;
  nature: string;
  offBlock: string;
  takeOff: string;
  landing: string;
  onBlock: string;
  departure: string;
  arrival: string;
  hobbsStart: string;
  hobbsEnd: string;
  tachoStart: string;
  tachoEnd: string;
  dayLandings: string;
  nightLandings: string;
  /** Durations: `0:45`, or minutes. */
  night: string;
  ifr: string;
  passengers: string;
  lessonId: string;
  supervisorId: string;
  lesson: string;
  fuel: string;
  oil: string;
  remarks: string;
  workshopRemarks: string;
}

export interface CrewMember {
  person: string;
  function: string;
}

export interface Entry {
  typed: Typed;
  crew: readonly CrewMember[];
  /** The landings of each on board, of a flight that is changed. */
  landings?: Landings;
}

type Landings = Pick<Flight, "crew" | "day_landings" | "night_landings">;

/**
 * What each made of the landings is no field of the form. It stays as it is for who stays on board as what they were, while the sum is
 * the same; with another sum it follows from the functions anew.
 */
function landingsOf(
  { landings, typed }: Pick<Entry, "landings" | "typed">,
  person: string,
  as: string,
): Partial<Record<"day_landings" | "night_landings", number>> {
  const isSame =
    landings?.day_landings === count(typed.dayLandings) && landings.night_landings === count(typed.nightLandings);
  const before = isSame && landings.crew.find((one) => one.person_id === person && one.function === as);
  if (!before) return {};
  const { day_landings, night_landings } = before;
  return {
    ...(day_landings !== undefined && { day_landings }),
    ...(night_landings !== undefined && { night_landings }),
  };
}

export const nothing: Typed = {
  ...{ day: "", aircraft: "", nature: "", offBlock: "", takeOff: "", landing: "", onBlock: "" },
  ...{ departure: "", arrival: "", hobbsStart: "", hobbsEnd: "", tachoStart: "", tachoEnd: "" },
  ...{
    dayLandings: "1",
    nightLandings: "",
    night: "",
    ifr: "",
    passengers: "",
    lessonId: "",
    lesson: "",
    supervisorId: "",
  },
  ...{ fuel: "", oil: "", remarks: "", workshopRemarks: "" },
};

type Instants = Pick<FlightDraft, "off_block_at" | "take_off_at" | "landing_at" | "on_block_at">;

/** The instants of the times, in their order: a time before the one before it is on the next day. */
function instantsOf({ day, offBlock, takeOff, landing, onBlock }: Typed, zone: string): Instants {
  let on = day;
  let before = "";
  const at = (written: string): string | null => {
    const time = timeOf(written);
    if (time === undefined || day === "") return null;
    if (time < before) on = dayAfter(on);
    before = time;
    return instantAt(on, time, zone) ?? null;
  };
  return { off_block_at: at(offBlock), take_off_at: at(takeOff), landing_at: at(landing), on_block_at: at(onBlock) };
}

const orNull = (written: string): string | null => (written.trim() === "" ? null : written.trim());
/** A place that is still being typed is none yet: the rest is saved without it. */
const placeOf = (written: string): string | null => (/^[A-Z][A-Z0-9]{3}$/.test(written) ? written : null);
const count = (written: string): number => (/^\d+$/.test(written.trim()) ? Number(written) : 0);

const decimal = new RegExp(`^(${hoursPattern})$`);

/** A number of hours or litres, with a comma or a point. */
const decimalOf = (written: string): string | null => (decimal.test(written.trim()) ? readHours(written) : null);

/** `0:45` and `45` are minutes. */
export function minutesOf(written: string): number {
  const [, hours = "0", minutes] = /^\s*(?:(\d{1,2}):)?(\d{1,4})\s*$/.exec(written) ?? [];
  return minutes === undefined ? 0 : Number(hours) * 60 + Number(minutes);
}

const isOneOf = <Value extends string>(values: readonly Value[], value: string): value is Value =>
  values.some((one) => one === value);

/** @param prefilled the counters of the aircraft, which are no reading of their own until there is one after the flight */
export function bodyOf({ typed, crew, landings }: Entry, zone: string, prefilled: readonly string[]): FlightDraft {
  const reading = (start: string, end: string) =>
    end.trim() === "" && prefilled.includes(start) ? null : decimalOf(start);
  return {
    aircraft_id: typed.aircraft,
    nature: isOneOf(natures, typed.nature) ? typed.nature : null,
    ...instantsOf(typed, zone),
    departure: placeOf(typed.departure),
    arrival: placeOf(typed.arrival),
    hobbs_start: reading(typed.hobbsStart, typed.hobbsEnd),
    hobbs_end: decimalOf(typed.hobbsEnd),
    tacho_start: reading(typed.tachoStart, typed.tachoEnd),
    tacho_end: decimalOf(typed.tachoEnd),
    day_landings: count(typed.dayLandings),
    night_landings: count(typed.nightLandings),
    night_minutes: minutesOf(typed.night),
    ifr_minutes: minutesOf(typed.ifr),
    passengers: count(typed.passengers),
    lesson_id: orNull(typed.lessonId),
    supervisor_id: crew.some(({ function: as }) => as === "solo") ? orNull(typed.supervisorId) : null,
    lesson: orNull(typed.lesson),
    fuel_uplift_litres: decimalOf(typed.fuel),
    oil_uplift_litres: decimalOf(typed.oil),
    remarks: orNull(typed.remarks),
    workshop_remarks: orNull(typed.workshopRemarks),
    crew: crew.flatMap(({ person, function: as }) =>
      person !== "" && isOneOf(functions, as)
        ? [{ person_id: person, function: as, ...landingsOf({ landings, typed }, person, as) }]
        : [],
    ),
  };
}

const minutesBetween = (from?: string | null, to?: string | null): number | undefined =>
  from && to ? Math.floor((Date.parse(to) - Date.parse(from)) / 60_000) : undefined;

/** Block time and airborne time. */
export const lengthsOf = (body: Instants) => ({
  block: minutesBetween(body.off_block_at, body.on_block_at),
  airborne: minutesBetween(body.take_off_at, body.landing_at),
});

const durationOf = (minutes: number): string =>
  minutes === 0 ? "" : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
const countOf = (number: number): string => (number === 0 ? "" : String(number));

/** @param writeHours writes hours of the API as the language has them */
export function entryOf(flight: Flight, zone: string, writeHours: (hours: string) => string): Entry {
  const at = (instant: string | null) => (instant === null ? undefined : clockAt(instant, zone));
  const times = [flight.off_block_at, flight.take_off_at, flight.landing_at, flight.on_block_at].map(at);
  const [offBlock, takeOff, landing, onBlock] = times.map((clock) => clock?.time ?? "");
  return {
    typed: {
      day: times.find((clock) => clock !== undefined)?.day ?? clockAt(flight.created_at, zone).day,
      aircraft: flight.aircraft.id,
      nature: flight.nature ?? "",
      ...{ offBlock: offBlock ?? "", takeOff: takeOff ?? "", landing: landing ?? "", onBlock: onBlock ?? "" },
      departure: flight.departure ?? "",
      arrival: flight.arrival ?? "",
      hobbsStart: writeHours(flight.hobbs_start ?? ""),
      hobbsEnd: writeHours(flight.hobbs_end ?? ""),
      tachoStart: writeHours(flight.tacho_start ?? ""),
      tachoEnd: writeHours(flight.tacho_end ?? ""),
      dayLandings: countOf(flight.day_landings),
      nightLandings: countOf(flight.night_landings),
      night: durationOf(flight.night_minutes),
      ifr: durationOf(flight.ifr_minutes),
      passengers: countOf(flight.passengers),
      lessonId: flight.lesson_id ?? "",
      supervisorId: flight.supervisor_id ?? "",
      lesson: flight.lesson ?? "",
      fuel: writeHours(flight.fuel_uplift_litres ?? ""),
      oil: writeHours(flight.oil_uplift_litres ?? ""),
      remarks: flight.remarks ?? "",
      workshopRemarks: flight.workshop_remarks ?? "",
    },
    crew: flight.crew.map(({ person_id, function: as }) => ({ person: person_id, function: as })),
    landings: flight,
  };
}
