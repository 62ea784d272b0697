/** The JSON of a record: in the public API and events, and for the school. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { dateIn, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { dateField, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { field, fieldsOf, part, type Resource, shape } from "../../../storage/shape.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { publicPilot } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { recordStatuses, complianceRecords as table } from "../compliance.tables.ts";
import { methods } from "../rules/rule.ts";
import { other_levels, privateFields, publicFields } from "./records.schemas.ts";

export const person = part(fieldsOf(publicPilot, "id", "name"));
const plane = part(fieldsOf(aircraftShape, "id", "registration", "model"));

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
    entered_by_mistake: z.boolean().meta({ description: "Of a withdrawn one: it never counted.", examples: [false] }),
    reminded_at: instantOut
      .nullable()
      .meta({ description: "When the person was last reminded by hand that it expires.", examples: [null] }),
    created_by: idOf<"user">(),
  }),
  ...names(table, { created_by: accountName }),
});
export type ComplianceRecord = Resource<typeof record>;

const superseding = alias(table, "superseding");

/**
 * What decides whether a record counts on a day (`held.ts`). Superseded ones count, too: a past flight is judged by what was valid
 * then. One that was withdrawn never changes again.
 */
export const storedRecord = part({
  ...columns(table, {
    id: idOf<"record">(),
    type: z.string(),
    level: z.string().nullable(),
    issued_on: dateField,
    valid_until: dateField.nullable(),
    other_levels,
    method: z.enum(methods).nullable(),
  }),
  entered_at: field(instantOut, table.created_at),
  superseded_on: field(
    dateField.nullable().meta({ description: "The day of issue of the record that superseded it." }),
    sql`iif(${table.superseded_by} is null, null, (select ${superseding.issued_on} from ${table} as ${superseding}
      where ${superseding.id} = ${table.superseded_by} and not ${superseding.entered_by_mistake}))`,
  ),
  withdrawn_at: field(instantOut.nullable(), sql`iif(${table.status} = 'withdrawn', ${table.updated_at}, null)`),
});
export type StoredRecord = Resource<typeof storedRecord>;

/** Its values in their order: without the names, SQLite builds the JSON of thousands in two thirds of the time. */
const { id, type, level, issued_on, valid_until, method, entered_at, superseded_on, withdrawn_at, ...rest } =
  storedRecord.fields;
export const storedValues = sql`json_array(${id.value}, ${type.value}, ${level.value}, ${issued_on.value}, ${valid_until.value},
  ${rest.other_levels.value}, ${method.value}, ${entered_at.value}, ${superseded_on.value}, ${withdrawn_at.value})`;
export type StoredValues = readonly [
  ...[StoredRecord["id"], StoredRecord["type"], StoredRecord["level"], StoredRecord["issued_on"]],
  ...[StoredRecord["valid_until"], StoredRecord["other_levels"], StoredRecord["method"], StoredRecord["entered_at"]],
  ...[StoredRecord["superseded_on"], StoredRecord["withdrawn_at"]],
];
/** With the day of its withdrawal where the organization is. */
export type HeldRecord = Omit<StoredRecord, "withdrawn_at"> & { withdrawn_on: LegalDate | null };

const withdrawnOn = (time_zone: string, at: StoredRecord["withdrawn_at"]): LegalDate | null =>
  at === null ? null : toLegalDate(dateIn(time_zone, new Date(at)));

/** Returns what makes stored records the records that are held, in a time zone. */
export const heldIn =
  (time_zone: string) =>
  ({ withdrawn_at, ...record }: StoredRecord): HeldRecord => ({
    ...record,
    withdrawn_on: withdrawnOn(time_zone, withdrawn_at),
  });

/** As `heldIn`, of the values of a stored record: of thousands, each is made at once what it will be. */
export const heldFromValuesIn =
  (time_zone: string) =>
  (values: StoredValues): HeldRecord => {
    const [id, type, level, issued_on, valid_until, other_levels, method, entered_at, superseded_on, withdrawn_at] =
      values;
    const withdrawn_on = withdrawnOn(time_zone, withdrawn_at);
    return { id, type, level, issued_on, valid_until, other_levels, method, entered_at, superseded_on, withdrawn_on };
  };

/** Returns the records of a person or an aircraft as JSON, without those that were entered by mistake. */
export const heldBy = (subject: SQLWrapper, id: SQLWrapper) =>
  sql`(select json_group_array(${storedRecord.json}) from ${table} where ${subject} = ${id} and not ${table.entered_by_mistake})`;
