/** One item of the fleet: when it is due, how near its limit is, and which bookings are beyond it. */
import type { WorkOrder } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatCount, formatDay } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Bar } from "../../ui/bar.tsx";
import { dueTones, limitsOf } from "./due.tsx";
import { type DueItem, expectedOn } from "./expected.ts";
import { maintenanceText } from "./words.ts";
import { titleOf } from "./work-orders.tsx";

interface DueRowProps {
  item: DueItem;
  /** The work order that covers it, if it is not done. */
  order: WorkOrder | undefined;
  onBeyond: () => void;
}

export function DueRow({ item, order, onBeyond }: DueRowProps) {
  const words = maintenanceText();
  const { name, status, aircraft_id, aircraft_registration: registration, booked_beyond } = item;
  const limits = limitsOf(item);
  const limit = limits.find((one) => one.kind === item.due_by) ?? limits[0];
  const tone = dueTones[status];
  return (
    <li>
      <DueWhen item={item} />
      <div class="due-what">
        <span class="title-line">
          <a href={`/app/aircraft/${aircraft_id}`}>{registration}</a>
          <strong>{name}</strong>
          {status !== "ok" && <Badge tone={tone}>{words.due.statuses[status]}</Badge>}
          {item.past_tolerance && <span class="small">{words.due.pastTolerance}</span>}
        </span>
        {limit ? (
          <div class="metered-line">
            <Bar
              label={`${registration} ${name}, ${limit.name}`}
              value={limit.used}
              max={limit.of}
              said={limit.said}
              tone={tone}
            />
            <span class="small">{limit.said}</span>
          </div>
        ) : (
          <span class="small">{words.due.neverDone}</span>
        )}
        {booked_beyond > 0 && may("planning:read") && (
          <div>
            <button type="button" class="text-button small" aria-haspopup="dialog" onClick={onBeyond}>
              {words.bookingsBeyond(booked_beyond)}
              <span class="visually-hidden">
                {" "}
                {registration} {name}
              </span>
            </button>
          </div>
        )}
      </div>
      <div class="due-order">
        {order ? (
          <a class="small" href={`/app/maintenance/work-orders/${order.id}`}>
            {words.inOrder(titleOf(order))}
          </a>
        ) : (
          may("maintenance:manage") &&
          status !== "ok" && (
            <a class="button" href={`/app/maintenance/work-orders/new?aircraft=${aircraft_id}&item=${item.item_id}`}>
              {words.takeUp}
              <span class="visually-hidden">
                {" "}
                {registration} {name}
              </span>
            </a>
          )
        )}
      </div>
    </li>
  );
}

/** The day on which it is expected to be due, and what tells so. */
function DueWhen({ item }: { item: DueItem }) {
  const words = maintenanceText();
  const { status, due_on, booked_on } = item;
  const on = expectedOn(item);
  if (status === "overdue" || on === null)
    return (
      <div class="due-when">
        <strong>{status === "overdue" ? words.dueNow : words.noDay}</strong>
      </div>
    );
  const days = daysUntil(on);
  return (
    <div class="due-when">
      <strong>{days < 0 ? words.anyDay : formatDay(on)}</strong>
      {days >= 0 && <span class="quiet small">{words.inDays(days, formatCount(days))}</span>}
      <span class="quiet small">
        {on === due_on ? words.byDate : on === booked_on ? words.byBookings : words.byUse}
      </span>
    </div>
  );
}
