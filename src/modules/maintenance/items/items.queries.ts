import { asc, eq, min, sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { maintenanceItems } from "../maintenance.tables.ts";
import { item } from "./items.shapes.ts";

type TenantReader = Reader<"tenant">;

export type ItemRow = typeof maintenanceItems.$inferSelect;

export const itemEntity = entityOf("maintenance_item", {
  table: maintenanceItems,
  shape: item,
  path: { itemId: maintenanceItems.id },
});

/** Returns JSON text, sorted by name. */
export const listItems = listOf(item, { from: maintenanceItems, orderBy: ascending(item, "name", "id") });

export const itemsOf = (reader: TenantReader, aircraftId: AircraftId): Promise<ItemRow[]> =>
  reader
    .select()
    .from(maintenanceItems)
    .where(eq(maintenanceItems.aircraft_id, aircraftId))
    .orderBy(asc(maintenanceItems.name), asc(maintenanceItems.id));

/** Returns the next date on which the status of an item changes. */
export async function nextChange(reader: TenantReader): Promise<LegalDate | null> {
  const [row] = await reader
    .select({ on: min(maintenanceItems.changes_on) })
    .from(maintenanceItems)
    .where(sql`${maintenanceItems.changes_on} is not null`);
  return row?.on ?? null;
}

/** Returns some of the aircraft with an item whose status changes on or before the date. */
export async function aircraftWithChanges(reader: TenantReader, until: LegalDate): Promise<AircraftId[]> {
  const rows = await reader.values<[AircraftId]>(sql`
    select distinct aircraft_id from (
      select ${maintenanceItems.aircraft_id} as aircraft_id from ${maintenanceItems}
      where ${maintenanceItems.changes_on} <= ${until} limit 20)`);
  return rows.map(([id]) => id);
}
