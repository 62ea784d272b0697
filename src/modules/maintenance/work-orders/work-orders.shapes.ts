/** The JSON of a work order: in the public API, and for the school. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, hourCounter, idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, knownBy, names } from "../../../storage/names.ts";
import { field, fieldsOf, hundredths, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { workOrders as table, workOrderItems, workOrderStatuses } from "../maintenance.tables.ts";
import { shownReading } from "../readings/shown-reading.ts";
import { notes, publicFields } from "./work-orders.schemas.ts";

const about = part(fieldsOf(aircraftShape, "id", "registration", "model"));

/** Beside the ids of work orders. */
export const workOrderTitle = knownBy(table, "title", "100-hour inspection");

const covered = part({
  id: field(idOf<"item">(), workOrderItems.item_id),
  ...columns(workOrderItems, { name: z.string().meta({ examples: ["100-hour inspection"] }) }),
});

const release = part({
  by: field(z.string().meta({ examples: ["Max Mechanic"] }), table.release_by),
  licence_number: field(z.string().meta({ examples: ["DE.66.4711"] }), table.release_licence_number),
  on: field(dateField, table.release_on),
  hobbs: field(hourCounter().out, hundredths(shownReading(table.release_hobbs))),
  tacho: field(hourCounter().out, hundredths(shownReading(table.release_tacho))),
  airframe_minutes: field(z.int(), shownReading(table.release_airframe_minutes)),
  landings: field(z.int(), shownReading(table.release_landings)),
});

const itemsOf = sql`from ${workOrderItems} where ${workOrderItems.work_order_id} = ${table.id}`;

export const publicWorkOrder = shape("PublicWorkOrder", {
  ...columns(table, { id: idOf<"workOrder">(), aircraft_id: idOf<"aircraft">() }),
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
  ...columns(table, { notes, opened_by: idOf<"user">().nullable() }),
  ...names(table, { opened_by: accountName }),
});

export type WorkOrder = Resource<typeof workOrder>;
