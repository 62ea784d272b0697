import { eq } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import type { Dependents } from "../../storage/dependents.ts";
import { workOrders } from "./maintenance.tables.ts";
import { workOrderEntity } from "./work-orders/work-orders.queries.ts";

/** Work orders show the aircraft. */
export const maintenanceDependents: Dependents = {
  aircraft: (tx, id) => touchRows(tx, workOrderEntity, eq(workOrders.aircraft_id, id)),
};
