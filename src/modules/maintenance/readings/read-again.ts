import { getTableColumns, type SQLWrapper, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { counterNames } from "../../fleet/counters.queries.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft, assessableOf } from "../assessment/assess-aircraft.ts";
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

/** Reads what `readAgain` is about: what was done after the flight, and what is assessed. */
export async function toReadAgain(reader: Reader<"tenant">, { aircraft_id: id, on_block_at: landed }: Posted) {
  const [items, orders, assessable] = await Promise.all([
    landed === null ? [] : itemsAfter(reader, { id, landed }),
    landed === null ? [] : ordersAfter(reader, { id, landed }),
    assessableOf(reader, id),
  ]);
  return { later: { items, orders }, assessable };
}

type ToReadAgain = Awaited<ReturnType<typeof toReadAgain>>;

/**
 * Assesses an aircraft after a flight was posted to its counters, or taken back. What was done after this flight was done at
 * other readings than it seemed: the hours since then are those of the flights since then, in whatever order they are approved.
 */
export async function readAgain(
  tx: Tx<"tenant">,
  by: By,
  { aircraft_id, on_block_at: landed }: Posted,
  { later, assessable }: ToReadAgain,
): Promise<void> {
  if (landed === null || later.items.length + later.orders.length === 0)
    return assessAircraft(tx, by, aircraft_id, assessable);
  await readLater(tx, by, { aircraft_id, landed, ...later });
  // Without what was read: the items have other readings now.
  await assessAircraft(tx, by, aircraft_id);
}

async function readLater(
  tx: Tx<"tenant">,
  by: By,
  { aircraft_id, landed, items, orders }: ToReadAgain["later"] & { aircraft_id: AircraftId; landed: Instant },
): Promise<void> {
  const aircraft = await requireAircraft(tx, aircraft_id);
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
