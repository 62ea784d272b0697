import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { AircraftId, PersonId, WorkOrderId } from "../../../core/ids.ts";
import { idOf } from "../../../http/fields.ts";
import { changeTime } from "../../../storage/changes.ts";
import { columns } from "../../../storage/columns.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, listOf, type PageRequest, pageBody, reversed } from "../../../storage/page.ts";
import { searchable } from "../../../storage/search-words.ts";
import { field, part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import type { ItemRow } from "../items/items.queries.ts";
import { maintenanceItems, workOrderHours, workOrderItems, workOrders } from "../maintenance.tables.ts";
import { workFields } from "./work-orders.schemas.ts";
import { publicWorkOrder, workOrder } from "./work-orders.shapes.ts";

/** By the number, the title and the registration of the aircraft. */
export const workOrderWords = searchable({
  list: "work_order",
  from: sql`${workOrders} cross join ${aircraft} on ${aircraft.id} = ${workOrders.aircraft_id}`,
  id: workOrders.id,
  texts: [workOrders.number, workOrders.title, aircraft.registration],
  past: sql`${workOrders.status} = 'done'`,
});

export type WorkOrderRow = typeof workOrders.$inferSelect;

const byId = { table: workOrders, path: { workOrderId: workOrders.id } };

export const workOrderEntity = entityOf("work_order", {
  ...byId,
  shape: workOrder,
  changeTime: changeTime(workOrders),
  words: workOrderWords,
});

export const { find: findPublicWorkOrder } = entityOf("work_order", { ...byId, shape: publicWorkOrder });

const newestFirst = descending(workOrder, "id");

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listWorkOrders = listOf(workOrder, {
  from: workOrders,
  orderBy: newestFirst,
  orders: { "-created_at": newestFirst, created_at: reversed(newestFirst) },
});

/** As `listWorkOrders`, for the public API. */
export const listPublicWorkOrders = listOf(publicWorkOrder, {
  from: workOrders,
  orderBy: descending(publicWorkOrder, "id"),
});

const oldestFirst = ascending(publicWorkOrder, "id");

/** The work orders that the person released, oldest first. */
export const releasesBy = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, publicWorkOrder, {
    ...page,
    from: workOrders,
    where: eq(workOrders.release_person_id, personId),
    orderBy: oldestFirst,
  });

const ownHours = part({
  ...columns(workOrderHours, { work_order_id: idOf<"workOrder">(), position: z.int(), ...workFields }),
  number: field(
    z.string(),
    sql`(select ${workOrders.number} from ${workOrders} where ${workOrders.id} = ${workOrderHours.work_order_id})`,
  ),
});

/** What the person worked, by work order. */
export const hoursBy = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, ownHours, {
    ...page,
    from: workOrderHours,
    where: eq(workOrderHours.person_id, personId),
    orderBy: ascending(ownHours, "work_order_id", "position"),
  });

/** Returns the ids of the work orders of an aircraft. */
export async function workOrdersOf(reader: Reader<"tenant">, id: AircraftId): Promise<WorkOrderId[]> {
  const rows = await reader.select({ id: workOrders.id }).from(workOrders).where(eq(workOrders.aircraft_id, id));
  return rows.map((row) => row.id);
}

/** Returns the items that a work order covers, without those that were removed. */
export async function coveredItems(reader: Reader<"tenant">, id: WorkOrderId): Promise<ItemRow[]> {
  const rows = await reader
    .select({ item: maintenanceItems })
    .from(workOrderItems)
    .innerJoin(maintenanceItems, eq(maintenanceItems.id, workOrderItems.item_id))
    .where(eq(workOrderItems.work_order_id, id));
  return rows.map(({ item }) => item);
}
