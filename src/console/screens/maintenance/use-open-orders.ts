/** The work orders that are not done, what is begun first. */
import type { WorkOrder } from "../../api/operations.ts";
import { type Resource, useResource } from "../../app/resource.ts";

/** @param aircraftId of one aircraft; without it, of the fleet */
export function useOpenOrders(aircraftId?: string): Resource<{ data: WorkOrder[] }> {
  const query = { limit: 100, ...(aircraftId !== undefined && { aircraft_id: aircraftId }) };
  const begun = useResource("GET /orgs/{orgId}/maintenance/work-orders", {
    query: { status: "in_progress", ...query },
  });
  const open = useResource("GET /orgs/{orgId}/maintenance/work-orders", { query: { status: "open", ...query } });
  return {
    data: begun.data && open.data && { data: [...begun.data.data, ...open.data.data] },
    problem: begun.problem ?? open.problem,
    reload: async () => void (await Promise.all([begun.reload(), open.reload()])),
  };
}
