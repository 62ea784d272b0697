/** The defects that the release of a work order puts right, with the photos of who reported them. */
import type { Defect, WorkOrder } from "../../api/operations.ts";
import { formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { DefectActions } from "./defect-actions.tsx";
import { defectTones } from "./defects.tsx";
import { DefectPhotos } from "./files.tsx";

export function useDefectsOf(order: WorkOrder) {
  const defects = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects", {
    path: { aircraftId: order.aircraft.id },
  });
  return { defects, own: (defects.data?.data ?? []).filter(({ work_order_id }) => work_order_id === order.id) };
}

export function DefectsOf({ order }: { order: WorkOrder }) {
  const { aircraft: words } = text();
  const { defects, own } = useDefectsOf(order);
  if (own.length === 0) return null;
  return (
    <Section title={words.defects}>
      <Loaded resource={defects}>
        {() => (
          <Rows
            label={words.defects}
            empty=""
            rows={own.map((defect) => ({
              id: defect.id,
              title: <span class="as-written">{defect.description}</span>,
              detail: saidOf(defect),
              aside: (
                <>
                  <Badge tone={defectTones[defect.status]}>{words.defectStatuses[defect.status]}</Badge>
                  <DefectActions defect={defect} />
                </>
              ),
            }))}
          />
        )}
      </Loaded>
      {own.map(({ id, aircraft_id }) => (
        <DefectPhotos key={id} path={{ aircraftId: aircraft_id, defectId: id }} />
      ))}
    </Section>
  );
}

function saidOf({ status, grounding, created_at, reported_by_name, deferred_until, deferral_reason }: Defect): string {
  const { aircraft: words } = text();
  return [
    words.reportedOn(formatDate(created_at), reported_by_name),
    status === "open" && grounding && words.isGrounding,
    status === "deferred" && deferred_until !== null && words.deferredUntil(formatDay(deferred_until)),
    status === "deferred" && deferral_reason,
  ]
    .filter(Boolean)
    .join(" · ");
}
