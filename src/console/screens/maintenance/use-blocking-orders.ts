/**
 * The work orders for which aircraft can't be booked, or only with a warning: all that are not done, begun or not, but those whose
 * defect is deferred. The rule is planning's (`out_of_service`). Who may not see orders learns from the board that an aircraft can't be
 * booked.
 */
import type { PlanningSettings, WorkOrder } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { dayAfter } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { useOpenOrders } from "./use-open-orders.ts";

export interface BlockingOrders {
  action: PlanningSettings["out_of_service"];
  /** None for those who may not see them. */
  orders: readonly WorkOrder[];
  isBlocked(aircraftId: string): boolean;
}

/** @param aircraftId of one aircraft; without it, of the fleet */
export function useBlockingOrders(aircraftId?: string): BlockingOrders {
  const seesOrders = may("maintenance:read");
  const open = useOpenOrders(aircraftId);
  const deferred = useResource(seesOrders ? "GET /orgs/{orgId}/maintenance/defects" : undefined, {
    query: { status: "deferred", limit: 500 },
  });
  const settings = useResource(may("planning:read") ? "GET /orgs/{orgId}/planning/settings" : undefined);
  const busy = useLastingBusy(!seesOrders && may("planning:read", "planning:read_own"));
  const action = settings.data?.data.out_of_service ?? "off";
  if (!seesOrders) return { action, orders: [], isBlocked: (id) => busy(id, action) };
  if (action === "off" || !open.data || !deferred.data) return { action, orders: [], isBlocked: () => false };
  const flying = new Set(deferred.data.data.map(({ work_order_id }) => work_order_id));
  const orders = open.data.data.filter(({ id }) => !flying.has(id));
  return {
    ...{ action, orders },
    isBlocked: (id) => action === "block" && orders.some(({ aircraft_id }) => aircraft_id === id),
  };
}

/** Days that are asked about: an open order lasts until somebody ends it. */
const asked = 7;

/** Returns what tells whether an aircraft can't be booked from today on. Why is not told to everybody: then only what blocks is busy. */
function useLastingBusy(isWanted: boolean): (aircraftId: string, action: BlockingOrders["action"]) => boolean {
  const from = today();
  const to = dayAfter(from, asked);
  /** Today may have begun in the school and not in UTC, and the other way round. */
  const begun = dayAfter(from);
  const board = useResource(isWanted ? "GET /orgs/{orgId}/planning/board" : undefined, {
    query: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` },
  });
  return (aircraftId, action) =>
    (board.data?.data.busy ?? []).some(
      ({ resource_id, start_at, end_at, because }) =>
        resource_id === aircraftId &&
        start_at.slice(0, 10) <= begun &&
        end_at.slice(0, 10) >= to &&
        (because === null || (because === "out_of_service" && action === "block")),
    );
}
