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

type Columns = FlightFigures & { aircraftId: AircraftId; lesson: string | null; remarks: string | null };
export type FlightContent = Columns & { crew: CrewMember[] };

/** A flight of which nothing is known but its aircraft. */
export const blank = (aircraftId: AircraftId): FlightContent => ({
  aircraftId,
  offBlockAt: null,
  takeOffAt: null,
  landingAt: null,
  onBlockAt: null,
  departure: null,
  arrival: null,
  dayLandings: 0,
  nightLandings: 0,
  nightMinutes: 0,
  ifrMinutes: 0,
  hobbsStart: null,
  hobbsEnd: null,
  tachoStart: null,
  tachoEnd: null,
  lesson: null,
  remarks: null,
  crew: [],
});

/** `flight` with the given changes. What is not given stays; null empties. */
export function changed(flight: FlightContent, change: FlightChange): FlightContent {
  const pick = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
  return {
    aircraftId: pick(change.aircraft_id, flight.aircraftId),
    offBlockAt: pick(change.off_block_at, flight.offBlockAt),
    takeOffAt: pick(change.take_off_at, flight.takeOffAt),
    landingAt: pick(change.landing_at, flight.landingAt),
    onBlockAt: pick(change.on_block_at, flight.onBlockAt),
    departure: pick(change.departure, flight.departure),
    arrival: pick(change.arrival, flight.arrival),
    dayLandings: pick(change.day_landings, flight.dayLandings),
    nightLandings: pick(change.night_landings, flight.nightLandings),
    nightMinutes: pick(change.night_minutes, flight.nightMinutes),
    ifrMinutes: pick(change.ifr_minutes, flight.ifrMinutes),
    hobbsStart: pick(change.hobbs_start, flight.hobbsStart),
    hobbsEnd: pick(change.hobbs_end, flight.hobbsEnd),
    tachoStart: pick(change.tacho_start, flight.tachoStart),
    tachoEnd: pick(change.tacho_end, flight.tachoEnd),
    lesson: pick(change.lesson, flight.lesson),
    remarks: pick(change.remarks, flight.remarks),
    crew: change.crew?.map((member) => ({ personId: member.person_id, function: member.function })) ?? flight.crew,
  };
}

/** @throws VALIDATION_ERROR impossible figures, unknown aircraft or crew; CONFLICT the aircraft is archived */
export async function checkContent(tx: Tx<"tenant">, content: FlightContent): Promise<void> {
  const issues = [...impossibilities(content), ...(await unknownCrew(tx, content.crew))];
  refuse(issues);
  const aircraft = await findAircraftRow(tx, content.aircraftId);
  if (aircraft === undefined)
    throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
  if (aircraft.status === "archived") throw conflict("The aircraft is archived.");
}

/** @throws VALIDATION_ERROR if there is an issue */
export function refuse(issues: readonly Issue[]): void {
  const [first, ...rest] = issues;
  if (first !== undefined) throw invalid(first, ...rest);
}

async function unknownCrew(reader: Reader<"tenant">, crew: readonly CrewMember[]): Promise<Issue[]> {
  if (crew.length === 0) return [];
  const ids = crew.map(({ personId }) => personId);
  const known = await reader.select({ id: people.id }).from(people).where(inArray(people.id, ids));
  return crew.flatMap(({ personId }, index) =>
    known.some(({ id }) => id === personId)
      ? []
      : [{ path: `crew.${index}.person_id`, code: "unknown", message: "There is no such person." }],
  );
}

export async function insertCrew(tx: Tx<"tenant">, flightId: FlightId, crew: readonly CrewMember[]): Promise<void> {
  for (const [position, member] of crew.entries()) await insertRow(tx, flightCrew, { flightId, position, ...member });
}
