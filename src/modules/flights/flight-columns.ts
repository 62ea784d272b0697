/** Turns what a caller sent into columns, and checks what only the database knows. */
import { inArray } from "drizzle-orm";
import { conflict, type Issue, invalid } from "../../core/errors.ts";
import type { AircraftId, FlightId } from "../../core/ids.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { findAircraftRow } from "../fleet/fleet.queries.ts";
import { people } from "../people/people.tables.ts";
import { type CrewMember, type FlightFigures, impossibilities } from "./flight-rules.ts";
import type { FlightChange } from "./flights.schemas.ts";
import { flightCrew } from "./flights.tables.ts";

type Columns = FlightFigures & { aircraft_id: AircraftId; lesson: string | null; remarks: string | null };
export type FlightContent = Columns & { crew: CrewMember[] };

/** A flight of which nothing is known but its aircraft. */
export const blank = (aircraftId: AircraftId): FlightContent => ({
  aircraft_id: aircraftId,
  off_block_at: null,
  take_off_at: null,
  landing_at: null,
  on_block_at: null,
  departure: null,
  arrival: null,
  day_landings: 0,
  night_landings: 0,
  night_minutes: 0,
  ifr_minutes: 0,
  hobbs_start: null,
  hobbs_end: null,
  tacho_start: null,
  tacho_end: null,
  lesson: null,
  remarks: null,
  crew: [],
});

/** `flight` with the given changes. What is not given stays; null empties. */
export function changed(flight: FlightContent, change: FlightChange): FlightContent {
  const pick = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
  return {
    aircraft_id: pick(change.aircraft_id, flight.aircraft_id),
    off_block_at: pick(change.off_block_at, flight.off_block_at),
    take_off_at: pick(change.take_off_at, flight.take_off_at),
    landing_at: pick(change.landing_at, flight.landing_at),
    on_block_at: pick(change.on_block_at, flight.on_block_at),
    departure: pick(change.departure, flight.departure),
    arrival: pick(change.arrival, flight.arrival),
    day_landings: pick(change.day_landings, flight.day_landings),
    night_landings: pick(change.night_landings, flight.night_landings),
    night_minutes: pick(change.night_minutes, flight.night_minutes),
    ifr_minutes: pick(change.ifr_minutes, flight.ifr_minutes),
    hobbs_start: pick(change.hobbs_start, flight.hobbs_start),
    hobbs_end: pick(change.hobbs_end, flight.hobbs_end),
    tacho_start: pick(change.tacho_start, flight.tacho_start),
    tacho_end: pick(change.tacho_end, flight.tacho_end),
    lesson: pick(change.lesson, flight.lesson),
    remarks: pick(change.remarks, flight.remarks),
    crew: change.crew?.map((member) => ({ person_id: member.person_id, function: member.function })) ?? flight.crew,
  };
}

/** @throws VALIDATION_ERROR impossible figures, unknown aircraft or crew; CONFLICT the aircraft is archived */
export async function checkContent(tx: Tx<"tenant">, content: FlightContent): Promise<void> {
  const issues = [...impossibilities(content), ...(await unknownCrew(tx, content.crew))];
  refuse(issues);
  const aircraft = await findAircraftRow(tx, content.aircraft_id);
  if (aircraft === undefined)
    throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
  if (aircraft.status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
}

/** @throws VALIDATION_ERROR if there is an issue */
export function refuse(issues: readonly Issue[]): void {
  const [first, ...rest] = issues;
  if (first !== undefined) throw invalid(first, ...rest);
}

async function unknownCrew(reader: Reader<"tenant">, crew: readonly CrewMember[]): Promise<Issue[]> {
  if (crew.length === 0) return [];
  const ids = crew.map(({ person_id: personId }) => personId);
  const known = await reader.select({ id: people.id }).from(people).where(inArray(people.id, ids));
  return crew.flatMap(({ person_id: personId }, index) =>
    known.some(({ id }) => id === personId)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );
}

export async function insertCrew(tx: Tx<"tenant">, flightId: FlightId, crew: readonly CrewMember[]): Promise<void> {
  for (const [position, member] of crew.entries()) await insertRow(tx, flightCrew, { flightId, position, ...member });
}
