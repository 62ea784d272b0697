/** All figures of what is due, for those who compare. */
import { formatCount, formatCounter, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Badge } from "../../ui/badge.tsx";
import { List } from "../../ui/list.tsx";
import { dueTones } from "./due.tsx";
import type { DueItem } from "./fleet-due.tsx";
import { maintenanceText } from "./words.ts";

const day = (on: string | null): string => (on === null ? "" : formatDay(on));
const hours = (count: string | null): string => (count === null ? "" : formatCounter(count));

export function DueTable({ items }: { items: readonly DueItem[] }) {
  const words = maintenanceText();
  const { aircraft } = text();
  const rows = items.map((item) => ({ ...item, id: item.item_id }));
  const page = { limit: rows.length, offset: 0, has_more: false, next_cursor: null };
  return (
    <List
      label={words.fleetDue}
      resource={{ data: { data: rows, page }, problem: undefined, reload: async () => undefined }}
      filters={[]}
      href={({ aircraft_id }) => `/app/aircraft/${aircraft_id}`}
      columns={[
        { label: aircraft.registration, cell: (item) => item.aircraft_registration },
        { label: words.itemName, cell: ({ name }) => name },
        {
          label: aircraft.status,
          cell: ({ status }) => <Badge tone={dueTones[status]}>{words.due.statuses[status]}</Badge>,
        },
        { label: words.hoursLeft, cell: ({ remaining_hours }) => hours(remaining_hours), isNumber: true },
        { label: words.dueHours, cell: ({ due_hours }) => hours(due_hours), isNumber: true, isDesk: true },
        {
          label: words.landingsLeft,
          cell: ({ remaining_landings: left }) => (left === null ? "" : formatCount(left)),
          isNumber: true,
          isDesk: true,
        },
        { label: words.dueDay, cell: ({ due_on }) => day(due_on), isNumber: true },
        { label: words.byUse, cell: ({ forecast_on }) => day(forecast_on), isNumber: true, isDesk: true },
        { label: words.byBookings, cell: ({ booked_on }) => day(booked_on), isNumber: true },
        { label: words.beyond, cell: ({ booked_beyond }) => formatCount(booked_beyond), isNumber: true },
      ]}
      empty=""
    />
  );
}
