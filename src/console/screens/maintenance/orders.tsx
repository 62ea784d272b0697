/** All work orders of the school. */
import type { WorkOrder } from "../../api/operations.ts";
import { formatDate, formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { MaintenanceTabs } from "./tabs.tsx";
import { maintenanceText } from "./words.ts";
import { titleOf, workOrderTones } from "./work-orders.tsx";

const statuses = ["open", "in_progress", "done"] as const;
const orders = ["-created_at", "created_at"] as const;

export default function WorkOrdersPage() {
  const words = maintenanceText();
  const { aircraft, people } = text();
  const { query } = place.value;
  const status = statuses.find((one) => one === query.get("status"));
  const cursor = query.get("cursor") ?? undefined;
  const found = useResource("GET /orgs/{orgId}/maintenance/work-orders", {
    query: {
      limit: pageLimit,
      ...(status && { status }),
      ...chosenOrder(orders),
      ...(cursor !== undefined && { cursor }),
    },
  });
  const add = may("maintenance:manage") && (
    <a class="button primary" href="/app/maintenance/work-orders/new">
      <Icon name="plus" />
      {words.openOrder}
    </a>
  );
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        {add && <div class="actions">{add}</div>}
      </div>
      <MaintenanceTabs />
      <search class="filters">
        <Choice
          label={aircraft.status}
          value={status ?? ""}
          options={[
            { value: "", label: people.all },
            ...statuses.map((value) => ({ value, label: aircraft.workOrderStatuses[value] })),
          ]}
          onChange={(value) => setQuery({ status: value, cursor: undefined })}
        />
      </search>
      <List<WorkOrder>
        label={aircraft.workOrders}
        resource={found}
        filters={["status"]}
        order="-created_at"
        href={({ id }) => `/app/maintenance/work-orders/${id}`}
        columns={[
          { label: words.orderTitle, cell: titleOf },
          { label: words.orderNumber, cell: ({ number }) => <span class="on-one-line">{number}</span> },
          { label: aircraft.registration, cell: (order) => order.aircraft.registration },
          {
            label: aircraft.status,
            cell: ({ status: is }) => <Badge tone={workOrderTones[is]}>{aircraft.workOrderStatuses[is]}</Badge>,
          },
          {
            label: words.tasks,
            cell: ({ items }) => <span class="brief">{items.map(({ name }) => name).join(", ")}</span>,
            isDesk: true,
          },
          {
            label: words.worked,
            cell: ({ worked_minutes: minutes }) => (minutes === 0 ? "" : formatDuration(minutes)),
            isNumber: true,
            isDesk: true,
          },
          {
            label: words.opened,
            cell: ({ created_at }) => formatDate(created_at),
            isNumber: true,
            orders: ["-created_at", "created_at"],
          },
          {
            label: words.releasedOn,
            cell: ({ release }) => (release === null ? "" : formatDay(release.on)),
            isNumber: true,
            isDesk: true,
          },
        ]}
        empty={
          <Empty title={aircraft.noWorkOrders} action={add}>
            {words.noOrdersHint}
          </Empty>
        }
      />
    </>
  );
}
