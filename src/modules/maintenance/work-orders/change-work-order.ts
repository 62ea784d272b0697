import { authorize } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { WorkOrderId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { coverItems, namesOfItems } from "./cover-items.ts";
import { hoursOf, recordHours, totalOf } from "./work-hours.ts";
import { workOrderEntity } from "./work-orders.queries.ts";
import type { WorkOrderChange } from "./work-orders.schemas.ts";
import type { WorkOrder } from "./work-orders.shapes.ts";

interface Input {
  workOrderId: WorkOrderId;
  change: WorkOrderChange;
}

/** Changes the given fields. @throws NOT_FOUND; VALIDATION_ERROR no such item, or see `totalOf` and `recordHours`; CONFLICT the work order is done */
export async function changeWorkOrder(
  context: TenantContext,
  { workOrderId, change: { item_ids, hours, ...columns } }: Input,
): Promise<JsonOf<WorkOrder>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { aircraft_id, status } = await workOrderEntity.row(tx, { workOrderId });
    if (status === "done") throw wrongStatus("work order", status, "open", "in_progress");
    const names = item_ids && (await namesOfItems(tx, aircraft_id, item_ids));
    const worked = hours ?? (columns.worked_minutes === undefined ? [] : await hoursOf(tx, workOrderId));
    const worked_minutes = totalOf(worked, columns.worked_minutes) ?? (hours && 0);
    return changeRow(tx, context, workOrderEntity, {
      id: workOrderId,
      action: "work_order.updated",
      set: { ...columns, ...(worked_minutes !== undefined && { worked_minutes }), updated_at: tx.now },
      async also() {
        if (names) await coverItems(tx, workOrderId, names);
        if (hours) await recordHours(tx, workOrderId, hours);
      },
    });
  });
}
