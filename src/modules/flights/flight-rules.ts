/** What must hold of a flight, whoever submits it. Figures: DOMAIN's invariants; functions on board: AMC1 FCL.050. */
import type { Instant } from "../../core/clock.ts";
import type { Issue } from "../../core/errors.ts";
import type { FlightContent } from "./flights.schemas.ts";
import type { CrewFunction } from "./flights.tables.ts";

/** A flight's figures; null is what a draft does not know yet. Counter readings are hundredths of an hour. */
export type FlightFigures = Omit<FlightContent, "aircraft_id" | "crew" | "lesson" | "remarks">;

export type CrewMember = FlightContent["crew"][number];

const longestBlockMinutes = 1440;

/**
 * Whole minutes from one instant to another, null while one is unknown. Parts of a second and of a minute do not count,
 * exactly as `flights.shapes.ts` has SQLite reckon it: what is shown is what is posted.
 */
const minutesBetween = (from: Instant | null, to: Instant | null): number | null =>
  from === null || to === null ? null : Math.trunc((wholeSeconds(to) - wholeSeconds(from)) / 60);

const wholeSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000);

/** From the first movement for take-off to the final rest. */
export const blockMinutes = (flight: FlightFigures) => minutesBetween(flight.off_block_at, flight.on_block_at);
export const airborneMinutes = (flight: FlightFigures) => minutesBetween(flight.take_off_at, flight.landing_at);

/** What can't be true, whatever is still missing: times that run backwards, parts greater than the whole. */
export function impossibilities(flight: FlightFigures): Issue[] {
  const issues: Issue[] = [];
  const refuse = (field: string, message: string) => issues.push({ path: `${field}`, code: "impossible", message });

  let before: { field: string; at: Instant } | undefined;
  for (const [field, at] of timesInOrder(flight)) {
    if (at === null) continue;
    if (before !== undefined && at < before.at) refuse(field, `It is before ${before.field}.`);
    before = { field, at };
  }
  const block = blockMinutes(flight);
  if (block !== null && (block < 1 || block > longestBlockMinutes)) {
    refuse("on_block_at", `Block time is 1 to ${longestBlockMinutes} minutes.`);
  } else if (block !== null) {
    if (flight.night_minutes > block) refuse("night_minutes", "More than the block time.");
    if (flight.ifr_minutes > block) refuse("ifr_minutes", "More than the block time.");
  }
  if (runsBackwards(flight.hobbs_start, flight.hobbs_end)) refuse("hobbs_end", "Less than hobbs_start.");
  if (runsBackwards(flight.tacho_start, flight.tacho_end)) refuse("tacho_end", "Less than tacho_start.");
  return issues;
}

const timesInOrder = (flight: FlightFigures) =>
  [
    ["off_block_at", flight.off_block_at],
    ["take_off_at", flight.take_off_at],
    ["landing_at", flight.landing_at],
    ["on_block_at", flight.on_block_at],
  ] as const;

const runsBackwards = (start: number | null, end: number | null): boolean =>
  start !== null && end !== null && end < start;

/** What a flight still lacks before it can be submitted at `now`. */
export function shortcomings(flight: FlightFigures, crew: readonly CrewMember[], now: Instant): Issue[] {
  const issues: Issue[] = [];
  const demand = (field: string, message: string) => issues.push({ path: `${field}`, code: "incomplete", message });

  const required = [
    ["off_block_at", flight.off_block_at],
    ["on_block_at", flight.on_block_at],
    ["departure", flight.departure],
    ["arrival", flight.arrival],
  ] as const;
  for (const [field, value] of required) if (value === null) demand(field, "A submitted flight needs it.");
  if ((flight.take_off_at === null) !== (flight.landing_at === null))
    demand("landing_at", "Give both take-off and landing, or neither.");
  if ((flight.hobbs_start === null) !== (flight.hobbs_end === null))
    demand("hobbs_end", "Give both readings, or neither.");
  if ((flight.tacho_start === null) !== (flight.tacho_end === null))
    demand("tacho_end", "Give both readings, or neither.");
  if (flight.on_block_at !== null && flight.on_block_at > now) demand("on_block_at", "The flight has not ended yet.");
  return [...issues, ...crewShortcomings(crew)];
}

/** With whom somebody in this function must fly: SPIC and dual under an instructor, PICUS and co-pilots under a PIC. */
const companion: Partial<Record<CrewFunction, CrewFunction>> = {
  dual: "instructor",
  spic: "instructor",
  picus: "pic",
  co_pilot: "pic",
};

function crewShortcomings(crew: readonly CrewMember[]): Issue[] {
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path: `${path}`, code: "crew", message });

  const commanders = crew.filter(({ function: f }) => f === "pic" || f === "instructor" || f === "solo");
  if (commanders.length !== 1) refuse("crew", "Exactly one of the crew is pic, instructor or solo.");
  if (crew.length > 1 && crew.some(({ function: f }) => f === "solo"))
    refuse("crew", "A solo has nobody else on board.");
  for (const [index, member] of crew.entries()) {
    const other = companion[member.function];
    if (other !== undefined && !crew.some(({ function: f }) => f === other)) {
      refuse(`crew.${index}.function`, `${member.function} needs a crew member who is ${other}.`);
    }
  }
  return issues;
}

/** How far Hobbs and block time may lie apart before it looks odd, in minutes. */
const tolerance = 12;

export const warningCodes = ["hobbs_gap", "tacho_gap", "hobbs_block_mismatch"] as const;
export type Warning = (typeof warningCodes)[number];

/** What looks odd but may be true; it is shown to whoever approves. */
export function warnings(flight: FlightFigures, counters: { hobbs: number; tacho: number }): Warning[] {
  const found: Warning[] = [];
  if (flight.hobbs_start !== null && flight.hobbs_start !== counters.hobbs) found.push("hobbs_gap");
  if (flight.tacho_start !== null && flight.tacho_start !== counters.tacho) found.push("tacho_gap");
  const block = blockMinutes(flight);
  if (block !== null && flight.hobbs_start !== null && flight.hobbs_end !== null) {
    const hobbsMinutes = ((flight.hobbs_end - flight.hobbs_start) * 60) / 100;
    if (Math.abs(hobbsMinutes - block) > tolerance) found.push("hobbs_block_mismatch");
  }
  return found;
}

/** What an approval moves on the aircraft. Airframe time is airborne time where it was noted, else block time. */
export const countersMoved = (flight: FlightFigures) => ({
  hobbs: (flight.hobbs_end ?? 0) - (flight.hobbs_start ?? 0),
  tacho: (flight.tacho_end ?? 0) - (flight.tacho_start ?? 0),
  airframe_minutes: airborneMinutes(flight) ?? blockMinutes(flight) ?? 0,
});
