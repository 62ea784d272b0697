/**
 * The work orders for which aircraft can't be booked, or only with a warning: all that are not done, begun or not, but those whose
 * defect is deferred. The rule is planning's (`out_of_service`). For those who may see them.
 */
import type { PlanningSettings, WorkOrder } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { useOpenOrders } from "./use-open-orders.ts";

export interface BlockingOrders {
  action: PlanningSettings["out_of_service"];
  orders: readonly WorkOrder[];
}

/** @param aircraftId of one aircraft; without it, of the fleet */
export function useBlockingOrders(aircraftId?: string): BlockingOrders {
  const open = useOpenOrders(aircraftId);
  const deferred = useResource(may("maintenance:read") ? "GET /orgs/{orgId}/maintenance/defects" : undefined, {
    query: { status: "deferred", limit: 500 },
  });
  const settings = useResource(may("planning:read") ? "GET /orgs/{orgId}/planning/settings" : undefined);
  const action = settings.data?.data.out_of_service ?? "off";
  if (action === "off" || !open.data || !deferred.data) return { action, orders: [] };
  const flying = new Set(deferred.data.data.map(({ work_order_id }) => work_order_id));
  return { action, orders: open.data.data.filter(({ id }) => !flying.has(id)) };
}

export const isBlocked = ({ action, orders }: BlockingOrders, aircraftId: string): boolean =>
  action === "block" && orders.some(({ aircraft_id }) => aircraft_id === aircraftId);
