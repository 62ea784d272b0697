/** What of other modules' records a training file has. */
import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { bool, field, fieldsOf, jsonList, part, type Resource } from "../../../storage/shape.ts";
import { complianceTypes, complianceRecords as records } from "../../compliance/compliance.tables.ts";
import { record } from "../../compliance/records/records.shapes.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { publicFlight } from "../../flights/flights.shapes.ts";
import { flightCrew, flights } from "../../flights/flights.tables.ts";
import { people } from "../../people/people.tables.ts";
import { countsIn } from "../progress/facts.queries.ts";
import { trainingLessons as lessons } from "../training.tables.ts";

const crew = alias(flightCrew, "crew");
const words = z.string();

const plane = part(fieldsOf(aircraftShape, "registration", "model", "class"));
const lesson = part(columns(lessons, { code: words, name: words }));

const { off_block_at, on_block_at, departure, arrival, nature, block_minutes } = publicFlight.fields;
const { night_minutes, ifr_minutes, approved_at, imported } = publicFlight.fields;
const count = z.int();

/** An approved flight of the training, as the student flew it. */
export const flownFlight = part({
  id: field(idOf<"flight">(), flights.id),
  ...{ off_block_at, on_block_at, departure, arrival, nature, block_minutes, night_minutes, ifr_minutes },
  aircraft: field(plane.schema, plane.json),
  function: field(z.enum(["dual", "solo", "spic"]), flightCrew.function),
  ...columns(flightCrew, { day_landings: count, night_landings: count }),
  ...columns(flights, { cross_country_km: count.nullable(), full_stops_elsewhere: count.nullable() }),
  instructors: jsonList(
    words,
    sql`${people.name}`,
    sql`from ${flightCrew} as ${crew} cross join ${people} on ${people.id} = ${crew.person_id}
      where ${crew.flight_id} = ${flights.id} and ${crew.function} = 'instructor'`,
  ),
  supervisor: field(
    words.nullable(),
    sql`(select ${people.name} from ${people} where ${people.id} = ${flights.supervisor_id})`,
  ),
  lesson: field(
    lesson.schema.nullable(),
    sql`(select ${lesson.json} from ${lessons} where ${lessons.id} = ${flights.lesson_id})`,
  ),
  // Whether it counts towards the minima: not in an aircraft of another class.
  counts: field(z.boolean(), bool(countsIn)),
  ...{ imported, approved_at },
});
export type FlownFlight = Resource<typeof flownFlight>;

/** A record of the student. A medical has a class and dates only. */
export const heldRecord = part({
  ...fieldsOf(record, "id", "type", "level", "number", "issued_by", "status"),
  type_name: field(
    words,
    sql`(select ${complianceTypes.name} from ${complianceTypes} where ${complianceTypes.key} = ${records.type})`,
  ),
  ...columns(records, { issued_on: dateField, valid_until: dateField.nullable() }),
  withdrawn_at: field(instantOut.nullable(), sql`iif(${records.status} = 'withdrawn', ${records.updated_at}, null)`),
});
export type StudentRecord = Resource<typeof heldRecord>;
