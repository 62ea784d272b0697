/** What can be booked, with what a board shows of it. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, fieldsOf, json, jsonList, part, type Shape, shape } from "../../../storage/shape.ts";
import { complianceRecords } from "../../compliance/compliance.tables.ts";
import { classRatings } from "../../compliance/rules/rules.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { person } from "../../people/people.shapes.ts";
import { isOneOf, people } from "../../people/people.tables.ts";
import { planningRooms } from "../planning.tables.ts";
import { room as roomShape } from "../rooms/rooms.schemas.ts";

const plane = part(
  fieldsOf(aircraftShape, "id", "registration", "model", "icao_type", "class", "seats", "multi_pilot", "status"),
);
const room = part(fieldsOf(roomShape, "id", "name", "seats"));

/** What decides which lessons an instructor gives. Neither medicals nor licences. */
const qualifying = ["fi", "ir", "night", ...Object.values(classRatings)];
const qualification = part({
  ...columns(complianceRecords, {
    type: z.string().meta({ examples: ["fi"] }),
    level: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    valid_until: dateField.nullable(),
  }),
});
const qualifications = z.array(qualification.schema).nullable().meta({
  description:
    "The current instructor certificate and ratings; null for members without `compliance:read`. One without `valid_until` does not expire.",
});
const heldBy = sql`(
  select json_group_array(${qualification.json}) from ${complianceRecords}
  where ${complianceRecords.person_id} = ${people.id} and ${complianceRecords.status} = 'current'
    and ${complianceRecords.type} in (${sql.raw(qualifying.map((type) => `'${type}'`).join(", "))}))`;

const teacher = (isShown: boolean) => {
  const { restricted_instructor } = person.fields;
  return part({
    ...fieldsOf(person, "id", "name"),
    restricted_instructor: field(
      restricted_instructor.schema
        .nullable()
        .meta({ description: "Works under supervision (FCL.910.FI); null as `qualifications`." }),
      isShown ? restricted_instructor.value : sql`null`,
    ),
    qualifications: field(qualifications, isShown ? json(heldBy) : sql`null`),
  });
};

const others = {
  aircraft: jsonList(
    plane.schema,
    plane.json,
    sql`from (select * from ${aircraft} where status <> 'archived' order by registration) as ${aircraft}`,
  ),
  rooms: jsonList(
    room.schema,
    room.json,
    sql`from (select * from ${planningRooms} where status <> 'archived' order by name) as ${planningRooms}`,
  ),
};

const isInstructor = isOneOf(sql`types`, ["instructor"]);
const teachers = sql`from (select * from ${people} where +status = 'active' and ${isInstructor} order by name, id) as ${people}`;

const coordinate = (example: string) => z.string().meta({ description: "Decimal degrees.", examples: [example] });
const home = z
  .strictObject({ latitude: coordinate("49.960833"), longitude: coordinate("8.645833") })
  .nullable()
  .meta({
    description: "Where the school is, by its profile in the directory: for sunset. Null: it has no coordinates.",
  });

const shown = teacher(true);
export const resources = shape("PlanningResources", {
  ...others,
  instructors: jsonList(shown.schema, shown.json, teachers),
  own_person_id: field(
    idOf<"person">().nullable().meta({ description: "The caller's person: students book for themselves." }),
    sql`(select ${people.id} from ${people} where ${people.user_id} = ${sql.placeholder("userId")})`,
  ),
  home: field(home, json(sql`${sql.placeholder("home")}`)),
});

/** The same without what only some members may see. */
const hidden = teacher(false);
export const resourcesByName: Shape<typeof resources.fields> = {
  ...resources,
  json: part({
    ...resources.fields,
    instructors: jsonList(hidden.schema, hidden.json, teachers),
  }).json,
};
