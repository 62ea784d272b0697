import { getTableColumns, type SQLWrapper, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import type { Tx } from "../../../storage/store.ts";
import { counterNames } from "../../fleet/counters.queries.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { itemEntity } from "../items/items.queries.ts";
import { lastDoneColumns, lastDoneOf } from "../items/last-done.ts";
import { maintenanceItems, workOrders } from "../maintenance.tables.ts";
import { releaseColumns, releaseOf } from "../work-orders/release-readings.ts";
import { workOrderEntity } from "../work-orders/work-orders.queries.ts";
import { type Done, readingsOf } from "./readings.ts";

interface Posted {
  aircraft_id: AircraftId;
  on_block_at: Instant | null;
}

/**
 * Assesses an aircraft after a flight was posted to its counters, or taken back. What was done after this flight was done at
 * other readings than it seemed: the hours since then are those of the flights since then, in whatever order they are approved.
 */
export async function readAgain(tx: Tx<"tenant">, by: By, { aircraft_id, on_block_at }: Posted): Promise<void> {
  if (on_block_at !== null) await readLater(tx, by, aircraft_id, on_block_at);
  await assessAircraft(tx, by, aircraft_id);
}

async function readLater(tx: Tx<"tenant">, by: By, id: AircraftId, landed: Instant): Promise<void> {
  const items = await itemsAfter(tx, { id, landed });
  const orders = await ordersAfter(tx, { id, landed });
  if (items.length + orders.length === 0) return;
  const aircraft = await requireAircraft(tx, id);
  const readingsIfLater = async (done: Done | undefined) =>
    done !== undefined && done.at >= landed ? readingsOf(tx, aircraft, done) : undefined;
  for (const item of items) {
    const readings = await readingsIfLater(await lastDoneOf(tx, item));
    if (readings === undefined || counterNames.every((name) => item[`last_done_${name}`] === readings[name])) continue;
    const set = { ...lastDoneColumns(readings), updated_at: tx.now };
    await changeRow(tx, by, itemEntity, { id: item.id, action: "maintenance_item.readings_changed", set });
  }
  for (const order of orders) {
    const readings = await readingsIfLater(await releaseOf(tx, order));
    if (readings === undefined || counterNames.every((name) => order[`release_${name}`] === readings[name])) continue;
    const set = { ...releaseColumns(readings), updated_at: tx.now };
    await changeRow(tx, by, workOrderEntity, { id: order.id, action: "work_order.readings_changed", set });
  }
}

const id = sql.placeholder("id");
const landed = sql.placeholder("landed");

/** Selects what was done after a landing. Where an older version stored only the day, it ended up to 12 hours later than in UTC. */
const isAfter = ({ at, on }: { at: SQLWrapper; on: SQLWrapper }) =>
  sql`(${at} >= ${landed} or (${at} is null and ${on} >= date(${landed}, '-1 day')))`;

const itemsAfter = lookUpAll(
  getTableColumns(maintenanceItems),
  sql`from ${maintenanceItems} where ${maintenanceItems.aircraft_id} = ${id}
    and ${isAfter({ at: maintenanceItems.last_done_at, on: maintenanceItems.last_done_on })}`,
);
const ordersAfter = lookUpAll(
  getTableColumns(workOrders),
  sql`from ${workOrders} where ${workOrders.aircraft_id} = ${id} and ${workOrders.status} = 'done'
    and ${isAfter({ at: workOrders.release_at, on: workOrders.release_on })}`,
);
