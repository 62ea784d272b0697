/** The work orders on which the workshop is at work, by aircraft: until their release nobody flies it. For those who may see them. */
import type { WorkOrder } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";

/** @param aircraftId of one aircraft; without it, of the fleet */
export function useInWork(aircraftId?: string): ReadonlyMap<string, WorkOrder> {
  const orders = useResource(may("maintenance:read") ? "GET /orgs/{orgId}/maintenance/work-orders" : undefined, {
    query: { status: "in_progress", limit: 200, ...(aircraftId !== undefined && { aircraft_id: aircraftId }) },
  });
  return new Map((orders.data?.data ?? []).map((order) => [order.aircraft_id, order]));
}
