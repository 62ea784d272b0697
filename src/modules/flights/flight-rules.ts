/** Rules for a flight's values. Those for its crew are in `crew-rules.ts`. */
import type { Instant } from "../../core/clock.ts";
import type { Issue } from "../../core/errors.ts";
import type { AircraftRow } from "../fleet/fleet.queries.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { crewIssues, instructionFaultCodes, instructionFaults } from "./crew-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";

/** A flight's times, places, counts and readings; null if not known yet. Readings are in hundredths of an hour. */
export type FlightFigures = Omit<
  FlightContent,
  "aircraft_id" | "crew" | "lesson" | "lesson_id" | "remarks" | "workshop_remarks"
>;

export const longestBlockMinutes = 1440;

/**
 * Returns the whole minutes between two instants, or null if one is null. It drops fractions of seconds, then fractions
 * of minutes, like the SQL in `flights.shapes.ts`, so that the posted time equals the one in the API.
 */
const minutesBetween = (from: Instant | null, to: Instant | null): number | null =>
  from === null || to === null ? null : Math.trunc((wholeSeconds(to) - wholeSeconds(from)) / 60);

const wholeSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000);

/** From the first movement for take-off until the aircraft finally comes to rest. */
export const blockMinutes = (flight: Pick<FlightFigures, "off_block_at" | "on_block_at">) =>
  minutesBetween(flight.off_block_at, flight.on_block_at);
export const airborneMinutes = (flight: Pick<FlightFigures, "take_off_at" | "landing_at">) =>
  minutesBetween(flight.take_off_at, flight.landing_at);

/** Returns the values that can't be true, complete or not: times out of order, parts greater than the whole. */
export function consistencyIssues(flight: FlightFigures): Issue[] {
  const issues: Issue[] = [];
  const report = (field: string, message: string) => issues.push({ path: field, code: "impossible", message });

  let before: { field: string; at: Instant } | undefined;
  for (const [field, at] of timesInOrder(flight)) {
    if (at === null) continue;
    if (before !== undefined && at < before.at) report(field, `Must not be before ${before.field}.`);
    before = { field, at };
  }
  const block = blockMinutes(flight);
  if (block !== null && (block < 1 || block > longestBlockMinutes)) {
    report("on_block_at", `Block time must be 1 to ${longestBlockMinutes} minutes.`);
  } else if (block !== null) {
    if (flight.night_minutes > block) report("night_minutes", "Must not exceed the block time.");
    if (flight.ifr_minutes > block) report("ifr_minutes", "Must not exceed the block time.");
  }
  if (isSession(flight)) {
    for (const field of onlyOfFlights) {
      if (flight[field] !== null && flight[field] !== 0) report(field, "A simulator session has none.");
    }
  }
  const stops = flight.full_stops_elsewhere ?? 0;
  if (stops > 0 && flight.cross_country_km === null)
    report("full_stops_elsewhere", "Only a cross-country flight has them: give cross_country_km.");
  if (stops > flight.day_landings + flight.night_landings)
    report("full_stops_elsewhere", "Must not exceed the landings.");
  if (runsBackwards(flight.hobbs_start, flight.hobbs_end)) report("hobbs_end", "Must not be less than hobbs_start.");
  if (runsBackwards(flight.tacho_start, flight.tacho_end)) report("tacho_end", "Must not be less than tacho_start.");
  return issues;
}

/** Returns whether it is a session in a simulator: no flight time, and no landings. */
const isSession = ({ nature }: FlightFigures): boolean => nature === "simulator";

const onlyOfFlights = [
  "take_off_at",
  "landing_at",
  "day_landings",
  "night_landings",
  "night_minutes",
  "ifr_minutes",
  "passengers",
  "fuel_uplift_litres",
  "oil_uplift_litres",
  "cross_country_km",
  "full_stops_elsewhere",
] as const satisfies readonly (keyof FlightFigures)[];

/** Returns the nature that does not fit the aircraft's class: a session is the only use of a simulator, and of no aircraft. */
export function natureIssues(flight: FlightFigures, { class: type }: Pick<AircraftRow, "class">): Issue[] {
  if (isSession(flight) === (type === "FSTD")) return [];
  const message = isSession(flight)
    ? "A simulator session needs an aircraft of class FSTD."
    : "The aircraft is a simulator (class FSTD): the nature must be `simulator`.";
  return [{ path: "nature", code: "impossible", message }];
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

/** Returns what prevents a flight from being submitted at `now`. */
export function completenessIssues(
  flight: FlightFigures & Crewed,
  aircraft: Pick<AircraftRow, "multi_pilot">,
  now: Instant,
): Issue[] {
  const issues: Issue[] = [];
  const report = (field: string, message: string) => issues.push({ path: field, code: "incomplete", message });

  const required = [
    ["off_block_at", flight.off_block_at],
    ["on_block_at", flight.on_block_at],
    ...(isSession(flight)
      ? []
      : ([
          ["departure", flight.departure],
          ["arrival", flight.arrival],
        ] as const)),
  ] as const;
  for (const [field, value] of required) if (value === null) report(field, "A submitted flight needs a value.");
  if ((flight.take_off_at === null) !== (flight.landing_at === null))
    report("landing_at", "Give both take-off and landing, or neither.");
  if ((flight.hobbs_start === null) !== (flight.hobbs_end === null))
    report("hobbs_end", "Give both readings, or neither.");
  if ((flight.tacho_start === null) !== (flight.tacho_end === null))
    report("tacho_end", "Give both readings, or neither.");
  if (flight.on_block_at !== null && flight.on_block_at > now) report("on_block_at", "The flight has not ended yet.");
  return [...issues, ...crewIssues(flight.crew, { passengers: flight.passengers, pilots: pilotsOf(flight, aircraft) })];
}

interface Crewed {
  crew: readonly CrewMember[];
}

/** Returns how many pilots fly: one, but in an aircraft for two. A simulator may be of either. */
const pilotsOf = (flight: FlightFigures, { multi_pilot }: Pick<AircraftRow, "multi_pilot">): 1 | 2 =>
  multi_pilot || isSession(flight) ? 2 : 1;

/** Minutes by which Hobbs and block time may differ without a warning. */
const tolerance = 12;

/** Kilometres per hour that no aircraft with pistons reaches, and no other of a school. */
const tooFast = { piston: 500, others: 1000 };

export const warningCodes = [
  "hobbs_gap",
  "tacho_gap",
  "hobbs_block_mismatch",
  "seats_exceeded",
  "distance_implausible",
  "night_time_missing",
  "single_pilot_aircraft",
  "flight_overlaps",
  ...instructionFaultCodes,
] as const;
export type Warning = (typeof warningCodes)[number];

interface Flown extends Pick<AircraftRow, "class" | "multi_pilot"> {
  /** The current counters. */
  hobbs: number;
  tacho: number;
  /** Null: not known. */
  seats: number | null;
}

/** Returns the implausible values, which the approver sees. */
export function warnings(flight: FlightFigures & Crewed, aircraft: Flown): Warning[] {
  const found: Warning[] = [];
  if (flight.hobbs_start !== null && flight.hobbs_start !== aircraft.hobbs) found.push("hobbs_gap");
  if (flight.tacho_start !== null && flight.tacho_start !== aircraft.tacho) found.push("tacho_gap");
  const block = blockMinutes(flight);
  if (block !== null && flight.hobbs_start !== null && flight.hobbs_end !== null) {
    const hobbsMinutes = ((flight.hobbs_end - flight.hobbs_start) * 60) / 100;
    if (Math.abs(hobbsMinutes - block) > tolerance) found.push("hobbs_block_mismatch");
  }
  if (aircraft.seats !== null && flight.crew.length + flight.passengers > aircraft.seats) found.push("seats_exceeded");
  const kmh = aircraft.class === "SET" || aircraft.class === "other" ? tooFast.others : tooFast.piston;
  if (block !== null && ((flight.cross_country_km ?? 0) * 60) / block > kmh) found.push("distance_implausible");
  if (flight.night_landings > 0 && flight.night_minutes === 0) found.push("night_time_missing");
  // AMC1 FCL.050 (b)(1)(v), (b)(2): they log time only where more than one pilot is required. No time is logged of a session.
  if (pilotsOf(flight, aircraft) === 1 && flight.crew.some(({ function: f }) => f === "co_pilot" || f === "picus"))
    found.push("single_pilot_aircraft");
  return found;
}

/** Returns what would refuse the submission of a draft, and is no value that may still be missing. */
export const instructionWarnings = (
  flight: FlightFigures & Crewed,
  aircraft: Pick<AircraftRow, "multi_pilot">,
): Warning[] => [...new Set(instructionFaults(flight.crew, pilotsOf(flight, aircraft)).map(({ code }) => code))];

/**
 * Returns what an approval adds to the counters. Airframe time is the airborne time if recorded, else the block time. A
 * simulator has no airframe time and no landings: its sessions advance only the hour counters that were read.
 */
export const counterDifferences = (flight: FlightFigures) => ({
  hobbs: (flight.hobbs_end ?? 0) - (flight.hobbs_start ?? 0),
  tacho: (flight.tacho_end ?? 0) - (flight.tacho_start ?? 0),
  airframe_minutes: isSession(flight) ? 0 : (airborneMinutes(flight) ?? blockMinutes(flight) ?? 0),
  landings: flight.day_landings + flight.night_landings,
});
