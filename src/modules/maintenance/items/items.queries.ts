import { and, eq, getTableColumns, ne, sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId, MaintenanceItemId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import { ascending, listOf, soonest } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { defects, maintenanceItems, workOrderItems, workOrders } from "../maintenance.tables.ts";
import { item } from "./items.shapes.ts";

type TenantReader = Reader<"tenant">;

export type ItemRow = typeof maintenanceItems.$inferSelect;

export const itemEntity = entityOf("maintenance_item", {
  table: maintenanceItems,
  shape: item,
  path: { itemId: maintenanceItems.id },
});

const byName = ascending(item, "name", "id");

/** Returns JSON text, sorted by name. */
export const listItems = listOf(item, {
  from: maintenanceItems,
  orderBy: byName,
  orders: { name: byName, forecast_on: soonest(item, "forecast_on", "id") },
});

export const itemsOf = (reader: TenantReader, aircraftId: AircraftId): Promise<ItemRow[]> =>
  itemsOfAircraft(reader, { id: aircraftId });

const itemsOfAircraft = lookUpAll(
  getTableColumns(maintenanceItems),
  sql`from ${maintenanceItems} where ${maintenanceItems.aircraft_id} = ${sql.placeholder("id")}
    order by ${maintenanceItems.name}, ${maintenanceItems.id}`,
);

/** Returns the items of all aircraft that are not archived. */
export const itemsInUse = (reader: TenantReader): Promise<ItemRow[]> => itemsOfFleet(reader, {});

const ofFleet = sql`from ${maintenanceItems} join ${aircraft} on ${aircraft.id} = ${maintenanceItems.aircraft_id}
  where ${aircraft.status} <> 'archived' order by ${maintenanceItems.name}, ${maintenanceItems.id}`;
const itemsOfFleet = lookUpAll(getTableColumns(maintenanceItems), ofFleet);

/** As `itemsInUse`, what they are assessed by: of hundreds of items, the other columns take as long to read. */
export const limitsInUse = (reader: TenantReader) => limitsOfFleet(reader, {});

const { notes, last_done_at, last_done_by, last_done_given, last_done_note, created_at, updated_at, ...assessed } =
  getTableColumns(maintenanceItems);
const { status, past_tolerance, due_on, due_hours, due_landings, ...others } = assessed;
const { remaining_hours, remaining_landings, forecast_on, changes_on, ...limits } = others;
const limitsOfFleet = lookUpAll(limits, ofFleet);

/** Returns some of the aircraft with an item whose status changes by its date, or a defect whose deferral ends by it. */
export async function aircraftWithChanges(reader: TenantReader, until: LegalDate): Promise<AircraftId[]> {
  const changed = (table: typeof maintenanceItems | typeof defects) => sql`
    select * from (select ${table.aircraft_id} as aircraft_id from ${table} where ${table.changes_on} <= ${until} limit 20)`;
  const rows = await reader.values<[AircraftId]>(sql`${changed(maintenanceItems)} union ${changed(defects)}`);
  return rows.map(([id]) => id);
}

/** Returns whether a work order that is not done covers the item. */
export async function isInWork(reader: TenantReader, id: MaintenanceItemId): Promise<boolean> {
  const covering = await reader
    .select({ id: workOrders.id })
    .from(workOrderItems)
    .innerJoin(workOrders, eq(workOrders.id, workOrderItems.work_order_id))
    .where(and(eq(workOrderItems.item_id, id), ne(workOrders.status, "done")));
  return covering.length > 0;
}
