/** What a work order has on paper. */
import type { Instant } from "../../../core/clock.ts";
import type { WorkOrderId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { type AircraftRow, requireAircraft } from "../../fleet/fleet.queries.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { type DefectRow, defectsOf } from "../defects/defects.queries.ts";
import { workOrderEntity } from "../work-orders/work-orders.queries.ts";
import type { WorkOrder } from "../work-orders/work-orders.shapes.ts";

export interface OrderFile {
  school: Pick<Organization, "name" | "approval_number">;
  aircraft: AircraftRow;
  order: WorkOrder;
  /** What it rectifies, or has rectified. */
  defects: readonly DefectRow[];
  now: Instant;
}

/** @throws NOT_FOUND */
export async function readOrderFile(
  reader: Reader<"tenant">,
  workOrderId: WorkOrderId,
): Promise<Pick<OrderFile, "aircraft" | "order" | "defects">> {
  const { value: order } = await workOrderEntity.find(reader, { workOrderId });
  const aircraft = await requireAircraft(reader, order.aircraft_id);
  return { aircraft, order, defects: await defectsOf(reader, workOrderId) };
}
