/** The JSON of a record: in the public API and events, and for the school. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { bool, field, part, type Resource, shape } from "../../../storage/shape.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { publicPilot } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { recordStatuses, complianceRecords as table } from "../compliance.tables.ts";
import { privateFields, publicFields } from "./records.schemas.ts";

export const person = part({ id: publicPilot.fields.id, name: publicPilot.fields.name });
const { id, registration, model } = aircraftShape.fields;
const plane = part({ id, registration, model });

const one = <S extends z.ZodType>(schema: S, value: SQLWrapper) => field(schema.nullable(), value);

export const publicRecord = shape("PublicComplianceRecord", {
  ...columns(table, { id: idOf<"record">(), status: z.enum(recordStatuses).meta({ examples: ["current"] }) }),
  person: one(person.schema, sql`(select ${person.json} from ${people} where ${people.id} = ${table.person_id})`),
  aircraft: one(plane.schema, sql`(select ${plane.json} from ${aircraft} where ${aircraft.id} = ${table.aircraft_id})`),
  ...columns(table, {
    ...publicFields,
    superseded_by: idOf<"record">().nullable(),
    ...stampsOut,
  }),
});

export const record = shape("ComplianceRecord", {
  ...publicRecord.fields,
  ...columns(table, {
    ...privateFields,
    withdrawal_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_by: idOf<"user">(),
  }),
});
export type ComplianceRecord = Resource<typeof record>;

/** What decides whether a record counts on a day. Superseded ones count, too: a past flight is judged by what was valid then. */
export const heldRecord = part({
  ...columns(table, {
    ...{ id: idOf<"record">(), type: z.string(), level: z.string().nullable() },
    ...{ issued_on: dateField, valid_until: dateField.nullable() },
  }),
  withdrawn: field(z.boolean(), bool(sql`${table.status} = 'withdrawn'`)),
});
export type HeldRecord = Resource<typeof heldRecord>;
