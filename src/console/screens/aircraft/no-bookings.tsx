/**
 * That an aircraft can't be booked, or only with a warning, since a work order is open, begun or not. The rule is planning's
 * (`out_of_service`); one whose defects are all deferred blocks nothing. Why a grounded aircraft can't be booked stands below already.
 */
import { Fragment } from "preact";
import type { Aircraft, WorkOrder } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { useOpenOrders } from "../maintenance/use-open-orders.ts";
import { maintenanceText } from "../maintenance/words.ts";
import { titleOf } from "../maintenance/work-orders.tsx";

export function NoBookings({ aircraftId, status }: { aircraftId: string; status: Aircraft["status"] | undefined }) {
  const words = maintenanceText();
  const orders = useOpenOrders(aircraftId).data?.data ?? [];
  const defects = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects", { path: { aircraftId } });
  const settings = useResource(may("planning:read") ? "GET /orgs/{orgId}/planning/settings" : undefined);
  const action = settings.data?.data.out_of_service ?? "off";
  if (status !== "available" || action === "off" || defects.data === undefined) return null;
  const all = defects.data.data;
  const isFree = ({ id }: WorkOrder): boolean => {
    const own = all.filter(({ work_order_id }) => work_order_id === id);
    return own.length > 0 && own.every((defect) => defect.status === "deferred");
  };
  const blocking = orders.filter((order) => !isFree(order));
  if (blocking.length === 0) return null;
  return (
    <div class="notice warn" role="status">
      <p>
        {action === "block" ? words.noBookings(blocking.length) : words.bookingsWarned(blocking.length)}{" "}
        {blocking.map((order, at) => (
          <Fragment key={order.id}>
            {at > 0 && ", "}
            <a href={`/app/maintenance/work-orders/${order.id}`}>{titleOf(order)}</a>
          </Fragment>
        ))}
      </p>
    </div>
  );
}
