import { type Placeholder, type SQLWrapper, sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { defects, workOrders } from "../../maintenance/maintenance.tables.ts";

/** Of the defects of a work order, none may need work before the next flight: else the aircraft is in the workshop. */
export const openOrderOf = (id: SQLWrapper | Placeholder) => sql<[string]>`
  select ${workOrders.title} from ${workOrders}
  where ${workOrders.aircraft_id} = ${id} and ${workOrders.status} in ('open', 'in_progress')
    and (not exists (select 1 from ${defects} where ${defects.work_order_id} = ${workOrders.id})
      or exists (select 1 from ${defects} where ${defects.work_order_id} = ${workOrders.id} and ${defects.status} <> 'deferred'))
  limit 1`;

const openOrder = openOrderOf(sql.placeholder("id"));

/** Returns the title of a work order for which the aircraft is out of service. */
export async function workOrderOf(reader: Reader<"tenant">, id: AircraftId): Promise<string | undefined> {
  const row = await reader.first(openOrder, { id });
  return row && String(row[0]);
}
