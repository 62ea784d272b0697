import { type Placeholder, type SQLWrapper, sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { workOrders } from "../../maintenance/maintenance.tables.ts";

/** Work that has begun needs a release before the next flight (ML.A.801). What is only planned, or reported and grounds nothing, does not. */
export const orderInProgressOf = (id: SQLWrapper | Placeholder) => sql<[string]>`
  select ${workOrders.title} from ${workOrders}
  where ${workOrders.aircraft_id} = ${id} and ${workOrders.status} = 'in_progress' limit 1`;

const orderInProgress = orderInProgressOf(sql.placeholder("id"));

/** Returns the title of a work order for which the aircraft is out of service. */
export async function workOrderOf(reader: Reader<"tenant">, id: AircraftId): Promise<string | undefined> {
  const row = await reader.first(orderInProgress, { id });
  return row && String(row[0]);
}
