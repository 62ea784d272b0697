/** All figures of what is due, for those who compare. */
import { formatCount, formatCounter, formatDay, formatHours } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge } from "../../ui/badge.tsx";
import { List } from "../../ui/list.tsx";
import { dueTones } from "./due.tsx";
import type { DueItem } from "./expected.ts";
import { maintenanceText } from "./words.ts";

const day = (on: string | null): string => (on === null ? "" : formatDay(on));

/** The reading at which it is due, as its counter is read: an airframe in hours and minutes. */
const readingOf = (due: string, counter: DueItem["hours_counter"]): string =>
  counter === "airframe" ? formatHours(due) : formatCounter(due);

export function DueTable({ items }: { items: readonly DueItem[] }) {
  const words = maintenanceText();
  const { aircraft } = text();
  const rows = items.map((item) => ({ ...item, id: item.item_id }));
  const page = { limit: rows.length, offset: 0, has_more: false, next_cursor: null };
  return (
    <div class="many-columns">
      <List
        label={words.fleetDue}
        resource={{ data: { data: rows, page }, problem: undefined, reload: async () => undefined }}
        filters={[]}
        href={({ aircraft_id }) => `/app/aircraft/${aircraft_id}`}
        columns={[
          {
            label: aircraft.registration,
            cell: (item) => <span class="on-one-line">{item.aircraft_registration}</span>,
          },
          {
            label: words.itemName,
            cell: ({ name, status }) => (
              <div class="due-name">
                {name}
                {status !== "ok" && <Badge tone={dueTones[status]}>{words.due.statuses[status]}</Badge>}
              </div>
            ),
          },
          {
            label: words.hoursLeft,
            cell: ({ remaining_hours: left, due_hours: due, hours_counter: counter }) =>
              left !== null && (
                <>
                  {formatHours(left)}
                  {due !== null && (
                    <div class="quiet small desk">{words.dueAt(aircraft[counter], readingOf(due, counter))}</div>
                  )}
                </>
              ),
            isNumber: true,
          },
          ...(items.some(({ remaining_landings }) => remaining_landings !== null)
            ? [
                {
                  label: words.landingsLeft,
                  cell: ({ remaining_landings: left }: DueItem) => (left === null ? "" : formatCount(left)),
                  isNumber: true,
                  isDesk: true,
                },
              ]
            : []),
          { label: words.dueDay, cell: ({ due_on }) => day(due_on), isNumber: true },
          { label: words.byUse, cell: ({ forecast_on }) => day(forecast_on), isNumber: true, isDesk: true },
          { label: words.byBookings, cell: ({ booked_on }) => day(booked_on), isNumber: true },
          {
            label: words.beyond,
            cell: ({ booked_beyond }) => formatCount(booked_beyond),
            isNumber: true,
            isDesk: true,
          },
        ]}
        empty=""
      />
    </div>
  );
}
