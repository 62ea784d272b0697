/** The work orders that are not done, what is begun first. */
import type { WorkOrder } from "../../api/operations.ts";
import { type Resource, useResource } from "../../app/resource.ts";

export function useOpenOrders(): Resource<{ data: WorkOrder[] }> {
  const begun = useResource("GET /orgs/{orgId}/maintenance/work-orders", {
    query: { status: "in_progress", limit: 100 },
  });
  const open = useResource("GET /orgs/{orgId}/maintenance/work-orders", { query: { status: "open", limit: 100 } });
  return {
    data: begun.data && open.data && { data: [...begun.data.data, ...open.data.data] },
    problem: begun.problem ?? open.problem,
    reload: async () => void (await Promise.all([begun.reload(), open.reload()])),
  };
}
