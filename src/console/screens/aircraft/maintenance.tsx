/** What is due, as bars up to the limit, and what the workshop has to do. */
import type { WorkOrder } from "../../api/operations.ts";
import { formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { byUrgency, DueBars } from "./due.tsx";

export function Maintenance({ aircraftId }: { aircraftId: string }) {
  const { aircraft: words } = text();
  const items = useResource("GET /orgs/{orgId}/maintenance/items", { query: { aircraft_id: aircraftId } });
  return (
    <Section title={words.maintenance}>
      <Loaded resource={items}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{words.noItems}</p>
          ) : (
            <div class="form">
              {data.toSorted(byUrgency).map((item) => (
                <DueBars key={item.id} item={item} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

const tones: Record<WorkOrder["status"], Tone> = { open: "warn", in_progress: "info", done: "good" };

export function WorkOrders({ aircraftId }: { aircraftId: string }) {
  const { aircraft: words } = text();
  const orders = useResource("GET /orgs/{orgId}/maintenance/work-orders", { query: { aircraft_id: aircraftId } });
  return (
    <Section title={words.workOrders}>
      <Loaded resource={orders}>
        {({ data }) => (
          <Rows
            label={words.workOrders}
            empty={words.noWorkOrders}
            most={4}
            // What is not done stands first.
            rows={data
              .toSorted((a, b) => Number(a.status === "done") - Number(b.status === "done"))
              .map(({ id, title, status, release, created_at, items }) => ({
                id,
                title: title.replace(/^Defect: /, ""),
                detail: [
                  release === null
                    ? words.openedOn(formatDate(created_at))
                    : words.releasedBy(release.by, formatDay(release.on)),
                  ...items.map(({ name }) => name),
                ].join(" · "),
                aside: <Badge tone={tones[status]}>{words.workOrderStatuses[status]}</Badge>,
              }))}
          />
        )}
      </Loaded>
    </Section>
  );
}
