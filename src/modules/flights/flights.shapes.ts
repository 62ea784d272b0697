/** What a flight looks like from outside: to integrators and in events, and to the school itself. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { hundredthsOut, idOf, instantOut } from "../../http/fields.ts";
import { field, hundredths, json, part, type Resource, shape } from "../../storage/shape.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import { warningCodes } from "./flight-rules.ts";
import { crewFunctions, flightCrew, flightStatuses, flights } from "./flights.tables.ts";

const minutesBetween = (from: SQLWrapper, to: SQLWrapper) => sql`(unixepoch(${to}) - unixepoch(${from})) / 60`;

const at = instantOut.nullable();
const place = z
  .string()
  .nullable()
  .meta({ examples: ["EDFE"] });
const reading = hundredthsOut.nullable();
const minutes = z.int().meta({ examples: [62] });
const count = z.int().meta({ examples: [1] });

const flownAircraft = part({
  id: field(idOf<"aircraft">(), aircraft.id),
  registration: field(z.string().meta({ examples: ["D-EABC"] }), aircraft.registration),
  model: field(z.string().meta({ examples: ["Cessna 172S"] }), aircraft.model),
  icao_type: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["C172"] }),
    aircraft.icao_type,
  ),
});

const crewMember = part({
  person_id: field(idOf<"person">(), people.id),
  name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  function: field(z.enum(crewFunctions), flightCrew.function),
});

/** In order of position: a cross join keeps the crew outermost, and their primary key gives that order without a sort. */
const crew = sql`(
  select json_group_array(${crewMember.json})
  from ${flightCrew} cross join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${flightCrew.flight_id} = ${flights.id})`;

/** A flight in the public API and as the `data.flight` of events. */
export const publicFlight = shape("PublicFlight", {
  id: field(idOf<"flight">(), flights.id),
  status: field(z.enum(flightStatuses), flights.status),
  revision: field(count, flights.revision),
  aircraft: field(
    flownAircraft.schema,
    // No join: the rows that an offset skips would be joined as well.
    sql`(select ${flownAircraft.json} from ${aircraft} where ${aircraft.id} = ${flights.aircraft_id})`,
  ),
  off_block_at: field(at, flights.off_block_at),
  take_off_at: field(at, flights.take_off_at),
  landing_at: field(at, flights.landing_at),
  on_block_at: field(at, flights.on_block_at),
  departure: field(place, flights.departure),
  arrival: field(place, flights.arrival),
  block_minutes: field(minutes.nullable(), minutesBetween(flights.off_block_at, flights.on_block_at)),
  airborne_minutes: field(minutes.nullable(), minutesBetween(flights.take_off_at, flights.landing_at)),
  night_minutes: field(minutes, flights.night_minutes),
  ifr_minutes: field(minutes, flights.ifr_minutes),
  day_landings: field(count, flights.day_landings),
  night_landings: field(count, flights.night_landings),
  hobbs_start: field(reading, hundredths(flights.hobbs_start)),
  hobbs_end: field(reading, hundredths(flights.hobbs_end)),
  tacho_start: field(reading, hundredths(flights.tacho_start)),
  tacho_end: field(reading, hundredths(flights.tacho_end)),
  crew: field(z.array(crewMember.schema), crew),
  lesson: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["13 circuit, approach and landing"] }),
    flights.lesson,
  ),
  submitted_at: field(at, flights.submitted_at),
  approved_at: field(at, flights.approved_at),
  rejected_at: field(at, flights.rejected_at),
  rejection_reason: field(z.string().nullable(), flights.rejection_reason),
  reversed_at: field(at, flights.reversed_at),
  created_at: field(instantOut, flights.created_at),
  updated_at: field(instantOut, flights.updated_at),
});

/** A flight to the school itself: what the public sees, and what is only the school's. */
export const flight = shape("Flight", {
  ...publicFlight.fields,
  remarks: field(z.string().nullable(), flights.remarks),
  warnings: field(
    z.array(z.enum(warningCodes)).meta({ description: "What looked odd when it was submitted." }),
    json(flights.warnings),
  ),
  created_by: field(idOf<"user">(), flights.created_by),
  submitted_by: field(idOf<"user">().nullable(), flights.submitted_by),
  approved_by: field(idOf<"user">().nullable(), flights.approved_by),
  self_approval_reason: field(
    z.string().nullable().meta({ description: "Why the only member who could approve it approved their own flight." }),
    flights.self_approval_reason,
  ),
  reversal_reason: field(z.string().nullable(), flights.reversal_reason),
});

export type PublicFlight = Resource<typeof publicFlight>;
export type Flight = Resource<typeof flight>;
