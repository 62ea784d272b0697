/** What is wrong with an aircraft: reported, deferred, and put right by the release of its work order. */
import { useSignal } from "@preact/signals";
import type { Aircraft, Defect } from "../../api/operations.ts";
import { formatDate, formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { DefectActions } from "./defect-actions.tsx";
import { DefectFiles } from "./files.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { maintenanceText } from "./words.ts";

export const defectTones: Record<Defect["status"], Tone> = { open: "bad", deferred: "warn", rectified: "good" };
const rank: Record<Defect["status"], number> = { open: 0, deferred: 1, rectified: 2 };

type Open = { kind: "report" } | { kind: "files"; defect: Defect };

/** @param aircraft undefined until it is known: its defects are loaded meanwhile */
export function Defects({ aircraftId, aircraft }: { aircraftId: string; aircraft: Aircraft | undefined }) {
  const { aircraft: words } = text();
  const path = { aircraftId };
  const defects = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects", { path });
  const open = useSignal<Open | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  const show = (what: Open) => () => {
    open.value = what;
  };
  const isInUse = aircraft?.status !== "archived";
  return (
    <Section
      title={words.defects}
      actions={
        isInUse &&
        may("defects:report") && (
          <Button kind="plain" icon="plus" onClick={show({ kind: "report" })}>
            {words.report}
          </Button>
        )
      }
    >
      <Loaded resource={defects}>
        {({ data }) => (
          <Rows
            label={words.defects}
            empty={words.noDefects}
            most={5}
            rows={data
              .toSorted((a, b) => rank[a.status] - rank[b.status])
              .map((defect) => ({
                id: defect.id,
                title: defect.description,
                href: may("maintenance:read") ? `/app/maintenance/work-orders/${defect.work_order_id}` : undefined,
                detail: detailOf(defect, aircraft),
                aside: (
                  <>
                    <Badge tone={defectTones[defect.status]}>{words.defectStatuses[defect.status]}</Badge>
                    {isInUse && <DefectActions defect={defect} />}
                    <Button kind="plain" onClick={show({ kind: "files", defect })}>
                      {words.files}
                      <span class="visually-hidden"> {defect.description}</span>
                    </Button>
                  </>
                ),
              }))}
          />
        )}
      </Loaded>
      {open.value?.kind === "report" && <ReportDialog aircraftId={aircraftId} onClose={close} />}
      {open.value?.kind === "files" && (
        <Dialog title={words.files} onClose={close}>
          <p class="quiet as-written">{open.value.defect.description}</p>
          <DefectFiles
            path={{ ...path, defectId: open.value.defect.id }}
            canAdd={may("defects:report", "maintenance:manage")}
          />
        </Dialog>
      )}
    </Section>
  );
}

/** When it was reported, and what follows from it; of a deferred one, how long it may still fly. */
function detailOf(defect: Defect, aircraft: Aircraft | undefined): string {
  const maintenance = maintenanceText();
  const { aircraft: words } = text();
  const { status, deferred_until, deferred_until_airframe_minutes: until } = defect;
  const isDeferred = status === "deferred";
  return [
    words.reportedOn(formatDate(defect.created_at), defect.reported_by_name),
    status === "open" && defect.grounding && words.isGrounding,
    isDeferred && deferred_until !== null && words.deferredUntil(formatDay(deferred_until)),
    isDeferred &&
      until !== null &&
      aircraft &&
      maintenance.flyingLeft(formatDuration(until - aircraft.airframe_minutes)),
    isDeferred && defect.deferral_reason,
  ]
    .filter(Boolean)
    .join(" · ");
}
