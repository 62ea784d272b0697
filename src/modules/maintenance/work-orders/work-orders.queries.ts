import { eq } from "drizzle-orm";
import type { WorkOrderId } from "../../../core/ids.ts";
import { changeTime } from "../../../storage/changes.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { descending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import type { ItemRow } from "../items/items.queries.ts";
import { maintenanceItems, workOrderItems, workOrders } from "../maintenance.tables.ts";
import { publicWorkOrder, workOrder } from "./work-orders.shapes.ts";

const of = { table: workOrders, path: { workOrderId: workOrders.id } };

export const workOrderEntity = entityOf("work_order", {
  ...of,
  shape: workOrder,
  changeTime: changeTime(workOrders),
});

export const { find: findPublicWorkOrder } = entityOf("work_order", { ...of, shape: publicWorkOrder });

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listWorkOrders = listOf(workOrder, { from: workOrders, orderBy: descending(workOrder, "id") });

/** As `listWorkOrders`, for the public API. */
export const listPublicWorkOrders = listOf(publicWorkOrder, {
  from: workOrders,
  orderBy: descending(publicWorkOrder, "id"),
});

/** Returns the items that a work order covers, without those that were removed. */
export async function coveredItems(reader: Reader<"tenant">, id: WorkOrderId): Promise<ItemRow[]> {
  const rows = await reader
    .select({ item: maintenanceItems })
    .from(workOrderItems)
    .innerJoin(maintenanceItems, eq(maintenanceItems.id, workOrderItems.item_id))
    .where(eq(workOrderItems.work_order_id, id));
  return rows.map(({ item }) => item);
}
