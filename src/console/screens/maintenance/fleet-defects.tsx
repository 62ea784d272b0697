/** The defects of the whole fleet, and the deferrals that run out. */
import type { Defect } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Choice } from "../../ui/choice.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { defectTones } from "./defects.tsx";
import { Deferrals } from "./deferrals.tsx";
import { MaintenanceTabs } from "./tabs.tsx";
import { maintenanceText } from "./words.ts";

const statuses = ["open", "deferred", "rectified"] as const;
const orders = ["-created_at", "created_at"] as const;

export default function FleetDefects() {
  const words = maintenanceText();
  const { aircraft, people } = text();
  const { query } = place.value;
  const wanted = query.get("status") ?? "open";
  const status = statuses.find((one) => one === wanted);
  const cursor = query.get("cursor") ?? undefined;
  const defects = useResource("GET /orgs/{orgId}/maintenance/defects", {
    query: {
      limit: pageLimit,
      ...(status && { status }),
      ...chosenOrder(orders),
      ...(cursor !== undefined && { cursor }),
    },
  });
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        {may("defects:report") && (
          <div class="actions">
            <a class="button primary" href="/app/defects/new">
              {words.reportDefect}
            </a>
          </div>
        )}
      </div>
      <MaintenanceTabs />
      <Deferrals />
      <search class="filters">
        <Choice
          label={aircraft.status}
          value={status ?? "all"}
          options={[
            ...statuses.map((value) => ({ value, label: aircraft.defectStatuses[value] })),
            { value: "all", label: people.all },
          ]}
          onChange={(value) => setQuery({ status: value === "open" ? "" : value, cursor: undefined })}
        />
      </search>
      <List<Defect>
        label={aircraft.defects}
        resource={defects}
        filters={[]}
        order="-created_at"
        href={({ work_order_id }) => `/app/maintenance/work-orders/${work_order_id}`}
        columns={[
          { label: words.whatIsWrong, cell: ({ description }) => <span class="brief">{description}</span> },
          { label: aircraft.registration, cell: (defect) => defect.aircraft_registration },
          {
            label: aircraft.status,
            cell: ({ status: is, grounding }) => (
              <div class="title-line">
                <Badge tone={defectTones[is]}>{aircraft.defectStatuses[is]}</Badge>
                {grounding && is === "open" && <span class="small">{aircraft.isGrounding}</span>}
              </div>
            ),
          },
          { label: words.reportedBy, cell: ({ reported_by_name }) => reported_by_name ?? "", isDesk: true },
          {
            label: words.reported,
            cell: ({ created_at }) => formatDate(created_at),
            isNumber: true,
            orders: ["-created_at", "created_at"],
          },
        ]}
        empty={<Empty title={aircraft.noDefects} />}
      />
    </>
  );
}
