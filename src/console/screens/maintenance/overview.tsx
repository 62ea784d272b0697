/** The morning in the workshop: what is due across the fleet, what is in work, and which deferrals run out. */
import type { WorkOrder } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { place } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { Deferrals } from "./deferrals.tsx";
import { FleetDocuments } from "./documents.tsx";
import { FleetDue } from "./fleet-due.tsx";
import { MaintenanceTabs } from "./tabs.tsx";
import { useOpenOrders } from "./use-open-orders.ts";
import { maintenanceText } from "./words.ts";
import { titleOf, workOrderTones } from "./work-orders.tsx";

export default function MaintenanceOverview() {
  const words = maintenanceText();
  const orders = useOpenOrders();
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          {may("defects:report") && (
            <a class="button" href="/app/defects/new">
              {words.reportDefect}
            </a>
          )}
          {may("maintenance:manage") && (
            <a class="button primary" href="/app/maintenance/work-orders/new">
              <Icon name="plus" />
              {words.openOrder}
            </a>
          )}
        </div>
      </div>
      <MaintenanceTabs />
      {/* A table takes the whole width. */}
      <div class={place.value.query.get("view") === "table" ? "stacked" : "columns"}>
        <div>
          <FleetDue orders={orders.data?.data ?? []} />
        </div>
        <div>
          <Deferrals />
          <Section title={words.inWorkshop}>
            <Loaded resource={orders}>{({ data }) => <InWorkshop orders={data} />}</Loaded>
          </Section>
          {may("compliance:read", "compliance:read_aircraft") && <FleetDocuments />}
        </div>
      </div>
    </>
  );
}

/** What is begun stands first. */
function InWorkshop({ orders }: { orders: readonly WorkOrder[] }) {
  const words = maintenanceText();
  const { aircraft } = text();
  return (
    <Rows
      label={words.inWorkshop}
      empty={words.nothingInWorkshop}
      most={8}
      rows={orders.map((order) => ({
        id: order.id,
        title: titleOf(order),
        href: `/app/maintenance/work-orders/${order.id}`,
        detail: `${order.number} · ${order.aircraft.registration} · ${aircraft.openedOn(formatDate(order.created_at), order.opened_by_name)}`,
        aside: <Badge tone={workOrderTones[order.status]}>{aircraft.workOrderStatuses[order.status]}</Badge>,
      }))}
    />
  );
}
