/** Schools with flights for logbooks, and what a logbook must show, computed without the database. */
import { csv, expectStatus, type School, times } from "../../support/school.ts";

export const columns = [
  ...["single_pilot_se_minutes", "single_pilot_me_minutes", "multi_pilot_minutes", "total_minutes"],
  ...["day_landings", "night_landings", "night_minutes", "ifr_minutes"],
  ...["pic_minutes", "co_pilot_minutes", "dual_minutes", "instructor_minutes", "simulator_minutes"],
];

export type Sums = Record<string, number>;

export const sumOf = (all: readonly Sums[]): Sums =>
  Object.fromEntries(columns.map((name) => [name, all.reduce((sum, one) => sum + (one[name] ?? 0), 0)]));

/** A flight to be imported, with the people by their e-mail addresses. */
export interface Flown {
  registration: string;
  off_block_at: string;
  minutes: number;
  crew: Record<string, string>;
  nature?: string;
  day_landings?: number;
  night_landings?: number;
  night_minutes?: number;
  ifr_minutes?: number;
}

/** @param type the class; `multi_pilot`: an aircraft of class `other` that needs two pilots */
export const addAircraft = async ({ owner }: School, registration: string, type: string): Promise<string> => {
  const kind = type === "multi_pilot" ? { class: "other", multi_pilot: true } : { class: type };
  const aircraft = { registration, model: `Model ${type}`, ...kind };
  return expectStatus(201, await owner.post("/aircraft", aircraft)).body.data.id;
};

const fields = ["nature", "day_landings", "night_landings", "night_minutes", "ifr_minutes"] as const;
const functions = ["pic", "solo", "spic", "picus", "co_pilot", "dual", "instructor"];

export async function importFlights({ owner }: School, flights: readonly Flown[]): Promise<void> {
  const lines = flights.map(({ registration, off_block_at, minutes, crew, ...rest }) => {
    const on = new Date(Date.parse(off_block_at) + minutes * 60_000).toISOString();
    const places = rest.nature === "simulator" ? ["", ""] : ["EDFE", "EDKB"];
    const figures = fields.map((name) => rest[name] ?? "");
    return [registration, off_block_at, on, ...places, ...figures, ...functions.map((name) => crew[name] ?? "")].join();
  });
  const names = ["registration", "off_block_at", "on_block_at", "departure", "arrival", ...fields, ...functions];
  const body = csv([names.join(), ...lines].join("\n"));
  const path = `/orgs/${owner.orgId}/flights/import`;
  const { body: done } = expectStatus(200, await owner.call("POST", path, { body }));
  if (done.data.created !== flights.length) throw new Error(JSON.stringify(done).slice(0, 500));
}

/** What a flight adds to the logbook of one of its crew, by the columns of AMC1 FCL.050. */
export function logged(flight: Flown, type: string, person: string): Sums | undefined {
  const held = Object.entries(flight.crew).find(([, email]) => email === person)?.[0];
  if (held === undefined) return undefined;
  const { minutes } = flight;
  if (flight.nature === "simulator") return { simulator_minutes: minutes };
  const isMulti = type === "multi_pilot" || "co_pilot" in flight.crew || "picus" in flight.crew;
  const kind = isMulti
    ? "multi_pilot_minutes"
    : type === "MEP"
      ? "single_pilot_me_minutes"
      : type === "SEP" || type === "TMG" || type === "SET"
        ? "single_pilot_se_minutes"
        : undefined;
  const as =
    held === "co_pilot" || held === "dual"
      ? [`${held}_minutes`]
      : held === "instructor"
        ? ["pic_minutes", "instructor_minutes"]
        : ["pic_minutes"];
  return {
    ...(kind !== undefined && { [kind]: minutes }),
    total_minutes: minutes,
    ...Object.fromEntries(as.map((name) => [name, minutes])),
    ...Object.fromEntries(["night_minutes", "ifr_minutes"].map((name) => [name, flight[name as "night_minutes"] ?? 0])),
    // The student's on instruction, else the pilot's.
    ...(held === ["dual", "spic", "solo", "pic", "instructor"].find((name) => name in flight.crew) && {
      ...{ day_landings: flight.day_landings ?? 0, night_landings: flight.night_landings ?? 0 },
    }),
  };
}

/** Short solo flights of a student, one a day. */
export const daily = (count: number, person: string, from = "2020-01-01"): Flown[] =>
  times(count, (day) => ({
    registration: "D-EABC",
    off_block_at: new Date(Date.parse(`${from}T08:00:00Z`) + day * 86_400_000).toISOString(),
    minutes: 30 + (day % 60),
    crew: { solo: person },
    day_landings: 1 + (day % 3),
  }));
