/** The JSON of a work order: in the public API, and for the school. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, hourCounter, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, knownBy, names } from "../../../storage/names.ts";
import { field, fieldsOf, hundredths, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { personName } from "../../people/people.shapes.ts";
import { workOrders as table, workOrderHours, workOrderItems, workOrderStatuses } from "../maintenance.tables.ts";
import { shownReading } from "../readings/shown-reading.ts";
import { notes, publicFields, releaseFields, workFields } from "./work-orders.schemas.ts";

const about = part(fieldsOf(aircraftShape, "id", "registration", "model", "serial_number"));

/** Beside the ids of work orders. */
export const workOrderTitle = knownBy(table, "title", "100-hour inspection");

const covered = part({
  id: field(idOf<"item">(), workOrderItems.item_id),
  ...columns(workOrderItems, { name: z.string().meta({ examples: ["100-hour inspection"] }) }),
});

/** Releases of older versions have no approval and no maintenance data. */
const approval = part({
  kind: field(releaseFields.approval_kind, table.release_approval),
  reference: field(releaseFields.approval_reference, table.release_approval_reference),
});

const release = shape("ReleaseToService", {
  by: field(z.string().meta({ examples: ["Max Mechanic"] }), table.release_by),
  person_id: field(
    idOf<"person">().nullable().meta({ description: "The person of the school who certified it." }),
    table.release_person_id,
  ),
  licence_number: field(z.string().meta({ examples: ["DE.66.4711"] }), table.release_licence_number),
  approval: field(
    approval.schema.nullable().meta({ description: "Null: an older version did not ask." }),
    json(sql`iif(${table.release_approval} is null, null, ${approval.json})`),
  ),
  maintenance_data: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["Cessna 172S AMM, chapter 5-14, rev. 25"] }),
    table.release_maintenance_data,
  ),
  on: field(dateField, table.release_on),
  hobbs: field(hourCounter().out, hundredths(shownReading(table.release_hobbs))),
  tacho: field(hourCounter().out, hundredths(shownReading(table.release_tacho))),
  airframe_minutes: field(z.int(), shownReading(table.release_airframe_minutes)),
  landings: field(z.int(), shownReading(table.release_landings)),
});

const itemsOf = sql`from ${workOrderItems} where ${workOrderItems.work_order_id} = ${table.id}`;

const worked = part({
  ...columns(workOrderHours, workFields),
  ...names(workOrderHours, { person_id: personName }),
});
const hoursOf = sql`from ${workOrderHours} where ${workOrderHours.work_order_id} = ${table.id}`;

export const publicWorkOrder = shape("PublicWorkOrder", {
  ...columns(table, {
    id: idOf<"workOrder">(),
    number: z
      .string()
      .meta({ description: "By the year in which it was opened, without gaps.", examples: ["2026-017"] }),
    aircraft_id: idOf<"aircraft">(),
  }),
  aircraft: field(
    about.schema,
    sql`(select ${about.json} from ${aircraft} where ${aircraft.id} = ${table.aircraft_id})`,
  ),
  ...columns(table, { status: z.enum(workOrderStatuses).meta({ examples: ["open"] }), ...publicFields }),
  item_ids: field(
    z.array(idOf<"item">()).meta({ description: "The maintenance items that it covers." }),
    sql`(select json_group_array(${workOrderItems.item_id}) ${itemsOf})`,
  ),
  items: field(z.array(covered.schema), sql`(select json_group_array(${covered.json}) ${itemsOf})`),
  release: field(
    release.schema.nullable().meta({ description: "The release to service; null until it is done." }),
    json(sql`iif(${table.status} = 'done', ${release.json}, null)`),
  ),
  ...columns(table, {
    started_at: instantOut.nullable(),
    completed_at: instantOut.nullable(),
    ...stampsOut,
  }),
});

export const workOrder = shape("WorkOrder", {
  ...publicWorkOrder.fields,
  hours: field(
    z.array(worked.schema).meta({ description: "Who worked on it, on which day, and how long." }),
    // In the order of the primary key.
    sql`(select json_group_array(${worked.json}) ${hoursOf})`,
  ),
  ...columns(table, { notes, opened_by: idOf<"user">().nullable() }),
  ...names(table, { opened_by: accountName }),
});

export type WorkOrder = Resource<typeof workOrder>;
