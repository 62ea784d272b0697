/** The JSON of a flight: in the public API and events, and for the school. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { accountName, names } from "../../storage/names.ts";
import { field, fieldsOf, part, type Resource, shape } from "../../storage/shape.ts";
import { aircraft as aircraftShape } from "../fleet/fleet.shapes.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { personName } from "../people/people.shapes.ts";
import { people } from "../people/people.tables.ts";
import { crewFunctions } from "../rules/crew.values.ts";
import { FlightFinding } from "../rules/findings.schemas.ts";
import { warningCodes } from "./flight-rules.ts";
import {
  figures,
  lesson,
  nature,
  passengers,
  places,
  readings,
  remarks,
  times,
  training,
  uplifts,
  workshop_remarks,
} from "./flights.schemas.ts";
import { flightCrew, flightStatuses, flights } from "./flights.tables.ts";

const minutesBetween = (from: SQLWrapper, to: SQLWrapper, description?: string) =>
  field(
    z
      .int()
      .nullable()
      .meta({ ...(description && { description }), examples: [62] }),
    sql`(unixepoch(${to}) - unixepoch(${from})) / 60`,
  );

/** As `isSession` of the rules. */
export const isSession = sql`${flights.nature} is 'simulator'`;

const at = instantOut.nullable();
const reason = z.string().nullable();

const flownAircraft = part(fieldsOf(aircraftShape, "id", "registration", "model", "icao_type"));

/** Optional, because events that were stored before have none. */
const ownLandings = (when: string) =>
  z
    .int()
    .optional()
    .meta({ description: `Landings ${when} that the member made.`, examples: [1] });

const crewMember = part({
  person_id: field(idOf<"person">(), people.id),
  name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  ...columns(flightCrew, {
    function: z.enum(crewFunctions),
    day_landings: ownLandings("by day"),
    night_landings: ownLandings("at night"),
  }),
});

/** In order of position: the cross join makes SQLite read the crew first, by the primary key, so it needs no sort. */
const crew = sql`(
  select json_group_array(${crewMember.json})
  from ${flightCrew} cross join ${people} on ${people.id} = ${flightCrew.person_id}
  where ${flightCrew.flight_id} = ${flights.id})`;

/** A flight in the public API and as the `data.flight` of events. */
export const publicFlight = shape("PublicFlight", {
  ...columns(flights, {
    id: idOf<"flight">(),
    // With `draft`, because the schemas of stable events are frozen.
    status: z.enum(flightStatuses).meta({ description: "Never `draft`: only the school sees drafts." }),
    revision: z.int().meta({ examples: [1] }),
    imported: z.boolean().meta({
      description: "Flown earlier, and imported from a file: it has moved no counters, and nobody approved it here.",
      examples: [false],
    }),
  }),
  aircraft: field(
    flownAircraft.schema,
    // Not a join: SQLite would join the rows that an offset skips as well.
    sql`(select ${flownAircraft.json} from ${aircraft} where ${aircraft.id} = ${flights.aircraft_id})`,
  ),
  ...columns(flights, { nature, ...times, ...places }),
  block_minutes: minutesBetween(
    flights.off_block_at,
    flights.on_block_at,
    "Of a simulator session: its length, which is no flight time.",
  ),
  airborne_minutes: minutesBetween(flights.take_off_at, flights.landing_at),
  ...columns(flights, { ...figures, ...readings, passengers, ...uplifts }),
  crew: field(z.array(crewMember.schema), crew),
  ...columns(flights, {
    lesson,
    workshop_remarks,
    submitted_at: at,
    approved_at: at,
    rejected_at: at,
    rejection_reason: reason,
    reversed_at: at,
    ...stampsOut,
  }),
});

/** A flight as the school sees it: the public fields and the private ones. */
export const flight = shape("Flight", {
  ...publicFlight.fields,
  ...columns(flights, {
    status: z.enum(flightStatuses),
    remarks,
    ...training,
    enrollment_id: idOf<"enrollment">().nullable().meta({ description: "The training for which it counts." }),
    warnings: z.array(z.enum(warningCodes)).meta({
      description:
        "Implausible values when it was written or submitted. `single_pilot_aircraft`: a co-pilot or PICUS in an aircraft that is not `multi_pilot`. What refuses the submission of a draft: `instructor_alone`, an instructor without a student; `students_exceeded`, more than one student who is trained, or more than two in an aircraft that is `multi_pilot` or in a simulator; `flight_overlaps`, its aircraft or a crew member was in another flight at the time.",
    }),
    findings: z.array(FlightFinding).meta({
      description:
        "What the clearance found when it was submitted or edited, and again when it was approved. Members without `compliance:read` and `medicals:read` see those about the aircraft and about themselves.",
    }),
    created_by: idOf<"user">(),
    submitted_by: idOf<"user">().nullable(),
    approved_by: idOf<"user">().nullable(),
    self_approval_reason: reason.meta({
      description:
        "Why the approver approved their own flight, or that the member who imported it was on board. Else null.",
    }),
    reversal_reason: reason,
  }),
  ...names(flights, {
    supervisor_id: personName,
    created_by: accountName,
    submitted_by: accountName,
    approved_by: accountName,
  }),
});

export type PublicFlight = Resource<typeof publicFlight>;
export type Flight = Resource<typeof flight>;
