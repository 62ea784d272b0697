/**
 * That an aircraft can't be booked, or only with a warning, since a work order is open. Why a grounded aircraft can't be booked stands
 * below already.
 */
import { Fragment } from "preact";
import type { Aircraft } from "../../api/operations.ts";
import type { BlockingOrders } from "../maintenance/use-blocking-orders.ts";
import { maintenanceText } from "../maintenance/words.ts";
import { titleOf } from "../maintenance/work-orders.tsx";

interface NoBookingsProps extends Pick<BlockingOrders, "action" | "orders"> {
  status: Aircraft["status"] | undefined;
}

export function NoBookings({ action, orders, status }: NoBookingsProps) {
  const words = maintenanceText();
  if (status !== "available" || orders.length === 0) return null;
  return (
    <div class="notice warn" role="status">
      <p>
        {action === "block" ? words.noBookings(orders.length) : words.bookingsWarned(orders.length)}{" "}
        {orders.map((order, at) => (
          <Fragment key={order.id}>
            {at > 0 && ", "}
            <a href={`/app/maintenance/work-orders/${order.id}`}>{titleOf(order)}</a>
          </Fragment>
        ))}
      </p>
    </div>
  );
}
