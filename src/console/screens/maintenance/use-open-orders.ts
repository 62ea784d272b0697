/** The work orders that are not done, what is begun first. For those who may see them. */
import type { WorkOrder } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { type Resource, useResource } from "../../app/resource.ts";

/** @param aircraftId of one aircraft; without it, of the fleet */
export function useOpenOrders(aircraftId?: string): Resource<{ data: WorkOrder[] }> {
  const orders = may("maintenance:read") ? "GET /orgs/{orgId}/maintenance/work-orders" : undefined;
  const query = { limit: 200, ...(aircraftId !== undefined && { aircraft_id: aircraftId }) };
  const begun = useResource(orders, { query: { status: "in_progress", ...query } });
  const open = useResource(orders, { query: { status: "open", ...query } });
  return {
    data: begun.data && open.data && { data: [...begun.data.data, ...open.data.data] },
    problem: begun.problem ?? open.problem,
    reload: async () => void (await Promise.all([begun.reload(), open.reload()])),
  };
}
