/** The JSON of a session: in the public API, and for the school. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, knownBy, names } from "../../../storage/names.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { personName } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { lessonName } from "../../training/revisions/revisions.queries.ts";
import {
  cancellationReasons,
  planningResources,
  planningRooms,
  resourceTypes,
  planningSessions as table,
} from "../planning.tables.ts";
import { kind, night, references, status, times, words } from "./sessions.schemas.ts";

const roomName = knownBy(planningRooms, "name", "Briefing room 1");

const taken = part({
  ...columns(planningResources, { type: z.enum(resourceTypes).meta({ examples: ["aircraft"] }) }),
  id: field(idOf<string>(), planningResources.resource_id),
  name: field(
    z.string().meta({ examples: ["D-EABC"] }),
    sql`case ${planningResources.type}
      when 'aircraft' then (select ${aircraft.registration} from ${aircraft} where ${aircraft.id} = ${planningResources.resource_id})
      when 'room' then (select ${planningRooms.name} from ${planningRooms} where ${planningRooms.id} = ${planningResources.resource_id})
      else (select ${people.name} from ${people} where ${people.id} = ${planningResources.resource_id}) end`,
  ),
});
const ofSession = sql`from ${planningResources} where ${planningResources.session_id} = ${table.id}`;

const reference = z
  .strictObject({
    type: z.enum(["aircraft", "room", "instructor"]).meta({ examples: ["aircraft"] }),
    id: idOf<string>(),
  })
  .nullable()
  .meta({ description: "What it is booked on: the aircraft, or the room, or the instructor; null: none of them." });

export const publicSession = shape("PublicPlanningSession", {
  ...columns(table, { id: idOf<"session">(), kind, status, ...times }),
  resource: field(
    reference,
    json(sql`case
      when ${table.aircraft_id} is not null then json_object('type', 'aircraft', 'id', ${table.aircraft_id})
      when ${table.room_id} is not null then json_object('type', 'room', 'id', ${table.room_id})
      when ${table.instructor_id} is not null then json_object('type', 'instructor', 'id', ${table.instructor_id}) end`),
  ),
  ...columns(table, references),
  student_ids: field(
    z.array(idOf<"person">()),
    sql`(select json_group_array(${planningResources.resource_id}) ${ofSession} and ${planningResources.type} = 'student')`,
  ),
  resources: field(
    z.array(taken.schema).meta({ description: "All that it takes up, with names." }),
    sql`(select json_group_array(${taken.json}) ${ofSession})`,
  ),
  ...columns(table, {
    night,
    series_id: idOf<"series">().nullable().meta({ description: "The same for all sessions of a series." }),
    ...stampsOut,
  }),
});

const cancellation = z
  .strictObject({
    reason: z
      .enum(cancellationReasons)
      .nullable()
      .meta({ examples: ["weather"] }),
    note: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    late: z.boolean().meta({ description: "Whether it was within the notice period.", examples: [false] }),
    at: instantOut,
  })
  .nullable()
  .meta({ description: "Null unless it was cancelled, or nobody came.", examples: [null] });

export const session = shape("PlanningSession", {
  ...publicSession.fields,
  ...columns(table, words),
  sequence: field(z.int().meta({ description: "Grows with each change.", examples: [0] }), table.sequence),
  ...columns(table, {
    flight_id: idOf<"flight">().nullable().meta({ description: "The draft that the check-in made." }),
  }),
  cancellation: field(
    cancellation,
    json(sql`iif(${table.cancelled_at} is null, null, json_object('reason', ${table.cancellation_reason},
      'note', ${table.cancellation_note}, 'late', json(iif(${table.cancelled_late}, 'true', 'false')), 'at', ${table.cancelled_at}))`),
  ),
  ...columns(table, { created_by: idOf<"user">().nullable() }),
  ...names(table, {
    aircraft_id: aircraftRegistration,
    instructor_id: personName,
    room_id: roomName,
    lesson_id: lessonName,
    created_by: accountName,
  }),
});
export type Session = Resource<typeof session>;
