/** The JSON of a pilot's logbook (AMC1 FCL.050). */
import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { type Field, field, fieldsOf, part, type Resource, shape } from "../../storage/shape.ts";
import { complianceRecords } from "../compliance/compliance.tables.ts";
import { aircraft as aircraftShape } from "../fleet/fleet.shapes.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { remarks, times } from "../flights/flights.schemas.ts";
import { isSession, publicFlight } from "../flights/flights.shapes.ts";
import { flightCrew, flights } from "../flights/flights.tables.ts";
import { people } from "../people/people.tables.ts";
import { crewFunctions } from "../rules/crew.values.ts";
import { as_of, type Sum, sums } from "./logbooks.schemas.ts";
import { logbookOpenings } from "./logbooks.tables.ts";

const crew = alias(flightCrew, "crew");
const block = publicFlight.fields.block_minutes.value;
const flown = (when: SQL): SQL => sql`iif(${when} and not ${isSession}, ${block}, 0)`;
const day = sql`substr(${flightCrew.logged_at}, 1, 10)`;

/** The aircraft needs two pilots, or the operation did: there was a co-pilot, who may have been PICUS. */
const isMultiPilot = sql`(${aircraft.multi_pilot} or exists (
  select 1 from ${flightCrew} as ${crew}
  where ${crew.flight_id} = ${flightCrew.flight_id} and ${crew.function} in ('co_pilot', 'picus')))`;

/** What a flight adds to each total of a crew member's logbook. */
export const sumColumns: Record<Sum, SQLWrapper> = {
  single_pilot_se_minutes: flown(sql`${aircraft.class} in ('SEP', 'TMG', 'SET') and not ${isMultiPilot}`),
  single_pilot_me_minutes: flown(sql`${aircraft.class} = 'MEP' and not ${isMultiPilot}`),
  multi_pilot_minutes: flown(isMultiPilot),
  total_minutes: flown(sql`true`),
  day_landings: flightCrew.day_landings,
  night_landings: flightCrew.night_landings,
  night_minutes: flights.night_minutes,
  ifr_minutes: flights.ifr_minutes,
  pic_minutes: flown(sql`${flightCrew.function} in ('pic', 'solo', 'spic', 'picus', 'instructor')`),
  co_pilot_minutes: flown(sql`${flightCrew.function} = 'co_pilot'`),
  dual_minutes: flown(sql`${flightCrew.function} = 'dual'`),
  instructor_minutes: flown(sql`${flightCrew.function} = 'instructor'`),
  simulator_minutes: sql`iif(${isSession}, ${block}, 0)`,
};

/** The source of the rows, in the order of the index of crews. */
export const loggedFlights = sql`${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
  cross join ${aircraft} on ${aircraft.id} = ${flights.aircraft_id}`;

const flownAircraft = part(fieldsOf(aircraftShape, "id", "registration", "model", "icao_type", "class"));
const pic = sql`(
  select ${people.name} from ${flightCrew} as ${crew} cross join ${people} on ${people.id} = ${crew.person_id}
  where ${crew.flight_id} = ${flightCrew.flight_id} and ${crew.function} in ('pic', 'solo', 'instructor') limit 1)`;

const { number, issued_on, id: recordId, ...certificate } = getTableColumns(complianceRecords);
/** @param which `max` or `min`, whose row SQLite takes the number of: an order would sort */
const certificateNumber = (which: SQL, held: SQL = sql`true`) => sql`(
  select number from (
    select ${number} as number, ${which}(${issued_on} || ${recordId}) from ${complianceRecords}
    where ${certificate.aircraft_id} = ${flights.aircraft_id} and ${certificate.type} = 'fstd_qualification'
      and ${number} is not null and not ${certificate.entered_by_mistake} and ${held}))`;
/** Of the certificate that the simulator had on the day of the session, or else the first one that is known: a renewal keeps the number. */
const qualification = sql`iif(${isSession}, coalesce(
  ${certificateNumber(sql`max`, sql`${issued_on} <= ${day}`)}, ${certificateNumber(sql`min`)}), null)`;

const summed = Object.fromEntries(
  Object.entries(sums).map(([name, schema]) => [name, field(schema, sumColumns[name as Sum])]),
) as { [Name in Sum]: Field<(typeof sums)[Name]> };
const { day_landings, night_landings, night_minutes, ifr_minutes, simulator_minutes, ...flownMinutes } = summed;
const { pic_minutes, co_pilot_minutes, dual_minutes, instructor_minutes, ...byKind } = flownMinutes;

export const logbookEntry = shape("LogbookEntry", {
  flight_id: field(idOf<"flight">(), flightCrew.flight_id),
  date: field(dateField.meta({ description: "Of departure, in UTC.", examples: ["2025-06-14"] }), day),
  ...columns(flights, { departure: publicFlight.fields.departure.schema }),
  off_block_at: field(instantOut, flightCrew.logged_at),
  ...columns(flights, { arrival: publicFlight.fields.arrival.schema, on_block_at: times.on_block_at }),
  aircraft: field(flownAircraft.schema, flownAircraft.json),
  ...byKind,
  pic_name: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["Anna Berg"] }),
    pic,
  ),
  day_landings,
  night_landings,
  night_minutes,
  ifr_minutes,
  ...columns(flightCrew, {
    function: z.enum(crewFunctions).meta({ description: "The person's function on board.", examples: ["pic"] }),
  }),
  pic_minutes,
  co_pilot_minutes,
  dual_minutes,
  instructor_minutes,
  simulator_minutes,
  fstd_qualification_number: field(
    z
      .string()
      .nullable()
      .meta({
        description:
          "Of a simulator session: the `number` of the simulator's record of type `fstd_qualification` on that day. Null: it has none.",
        examples: [null],
      }),
    qualification,
  ),
  ...columns(flights, { remarks }),
});
export type LogbookEntry = Resource<typeof logbookEntry>;

export const openingTotals = shape("LogbookOpeningTotals", {
  person_id: field(idOf<"person">(), people.id),
  person_name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  ...columns(logbookOpenings, { as_of }),
  ...(Object.fromEntries(
    Object.entries(sums).map(([name, schema]) => [
      name,
      field(schema, sql`ifnull(${logbookOpenings[name as Sum]}, 0)`),
    ]),
  ) as { [Name in Sum]: Field<(typeof sums)[Name]> }),
});
export type OpeningTotals = Resource<typeof openingTotals>;
