/** An aircraft in the public API, with counts of its maintenance items and work orders. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { field, fieldsOf, part, shape } from "../../storage/shape.ts";
import { aircraft as aircraftShape } from "../fleet/fleet.shapes.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { countOf as countItems } from "../maintenance/due/due.shapes.ts";
import { type workOrderStatuses, workOrders } from "../maintenance/maintenance.tables.ts";

/** Counts the work orders of the aircraft with one status, in an index. */
const countOrders = (status: (typeof workOrderStatuses)[number]) =>
  field(
    z.int().meta({ examples: [1] }),
    sql`(select count(*) from ${workOrders}
      where ${workOrders.aircraft_id} = ${aircraft.id} and ${workOrders.status} = ${sql.raw(`'${status}'`)})`,
  );

const maintenance = part({
  overdue: countItems("overdue"),
  upcoming: countItems("upcoming"),
  ok: countItems("ok"),
});
const orders = part({
  open: countOrders("open"),
  in_progress: countOrders("in_progress"),
  done: countOrders("done"),
});

export const publicAircraft = shape("PublicAircraft", {
  ...fieldsOf(aircraftShape, "id", "registration", "model", "icao_type", "class", "multi_pilot", "status"),
  ...fieldsOf(aircraftShape, "hobbs", "tacho", "airframe_minutes"),
  maintenance: field(maintenance.schema.meta({ description: "Maintenance items by status." }), maintenance.json),
  work_orders: field(orders.schema.meta({ description: "Work orders by status." }), orders.json),
});
