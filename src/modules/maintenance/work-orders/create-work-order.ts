import { authorize } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireUsable } from "../../fleet/fleet.queries.ts";
import { openWorkOrder } from "./open-work-order.ts";
import { workOrderEntity } from "./work-orders.queries.ts";
import type { NewWorkOrder } from "./work-orders.schemas.ts";
import type { WorkOrder } from "./work-orders.shapes.ts";

/** @throws VALIDATION_ERROR no such aircraft or item; CONFLICT the aircraft is archived */
export async function createWorkOrder(context: TenantContext, input: NewWorkOrder): Promise<JsonOf<WorkOrder>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    await requireUsable(tx, input.aircraft_id);
    return workOrderEntity.read(tx, await openWorkOrder(tx, context, input));
  });
}
