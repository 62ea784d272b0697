/** A work order: what is to be done, what was found and fitted, and the release that ends it. */
import { useSignal } from "@preact/signals";
import type { WorkOrderChange } from "../../api/operations.ts";
import { change } from "../../app/change.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Download } from "../../ui/download.tsx";
import { EditableRecord } from "../../ui/record.tsx";
import { Section } from "../../ui/section.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AircraftStatus, reasonOf } from "../aircraft/status.tsx";
import { WorkOrderFiles } from "./files.tsx";
import { DefectsOf } from "./order-defects.tsx";
import type { PartProps } from "./order-part.ts";
import { Parts } from "./parts.tsx";
import { Released } from "./release.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { Tasks } from "./tasks.tsx";
import { useBlockingOrders } from "./use-blocking-orders.ts";
import { maintenanceText } from "./words.ts";
import { aircraftOf, titleOf, workOrderTones } from "./work-orders.tsx";
import { Worked } from "./worked.tsx";

export default function WorkOrderPage({ workOrderId = "" }: Parameters) {
  const maintenance = maintenanceText();
  const { aircraft: words, actions } = text();
  const path = { workOrderId };
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/maintenance/work-orders/{workOrderId}", { path });
  const blocking = useBlockingOrders();
  const isReleasing = useSignal(false);
  const order = data?.data;
  const aircraft = useResource(order ? "GET /orgs/{orgId}/aircraft/{aircraftId}" : undefined, {
    path: { aircraftId: order?.aircraft.id ?? "" },
  }).data?.data;
  if (problem !== undefined && !order) return <ProblemNotice error={problem} retry={reload} />;
  if (!order) return <Skeleton lines={8} />;

  const refresh = () => changed("/maintenance", "/aircraft");
  const save: PartProps["save"] = async (body, seen) => {
    await change("/orgs/{orgId}/maintenance/work-orders/{workOrderId}", path, body, seen);
    await refresh();
  };
  const turn = async (to: "start" | "reopen") => {
    await call(`POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/${to}`, { path });
    await refresh();
  };
  const begin = async () => {
    await turn("start");
    toast(maintenance.started, { label: actions.undo, run: () => turn("reopen") });
  };
  const canEdit = may("maintenance:manage") && order.status !== "done";
  const saysWhatWasDone = order.items.length > 0 || order.findings !== null;

  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{titleOf(order)}</h1>
            <Badge tone={workOrderTones[order.status]}>{words.workOrderStatuses[order.status]}</Badge>
          </div>
          <p class="quiet">
            {order.number} · <a href={`/app/aircraft/${order.aircraft.id}`}>{order.aircraft.registration}</a> ·{" "}
            {aircraftOf(order)} · {words.openedOn(formatDate(order.created_at), order.opened_by_name)}
          </p>
          {aircraft && (
            <p class="title-line">
              <span class="quiet small">{maintenance.aircraft}</span>{" "}
              <AircraftStatus
                aircraft={aircraft}
                isInWork={order.status === "in_progress"}
                isBlocked={blocking.isBlocked(aircraft.id)}
              />
              {aircraft.groundings[0] && <span class="small">{reasonOf(aircraft.groundings[0])}</span>}
            </p>
          )}
        </div>
        <div class="actions">
          <Download
            from="GET /orgs/{orgId}/maintenance/work-orders/{workOrderId}/file"
            path={path}
            as="pdf"
            name="work-order.pdf"
          >
            {maintenance.orderAsPdf}
          </Download>
          {canEdit && order.status === "open" && <Button onClick={begin}>{maintenance.start}</Button>}
          {canEdit && saysWhatWasDone && (
            <Button
              kind="primary"
              onClick={() => {
                isReleasing.value = true;
              }}
            >
              {maintenance.release}
            </Button>
          )}
        </div>
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {canEdit && !saysWhatWasDone && <p class="notice info">{maintenance.nothingDone}</p>}
      <div class="columns">
        <div>
          {order.release && <Released order={order} release={order.release} />}
          <DefectsOf order={order} />
          <Tasks order={order} canEdit={canEdit} save={save} />
          <Findings order={order} canEdit={canEdit} save={save} />
        </div>
        <div>
          <Worked order={order} canEdit={canEdit} save={save} />
          <Parts order={order} canEdit={canEdit} save={save} />
          <Section title={words.files}>
            <WorkOrderFiles workOrderId={order.id} canAdd={may("maintenance:manage")} />
          </Section>
        </div>
      </div>
      {isReleasing.value && (
        <ReleaseDialog
          order={order}
          onClose={() => {
            isReleasing.value = false;
          }}
        />
      )}
    </>
  );
}

function Findings({ order, canEdit, save }: PartProps) {
  const words = maintenanceText();
  return (
    <EditableRecord<WorkOrderChange>
      title={words.findings}
      empty={words.noFindings}
      of={order}
      canEdit={canEdit}
      onSave={save}
      fields={[
        {
          ...{ kind: "text", name: "title", label: words.orderTitle, value: order.title, maxLength: 120 },
          ...{ required: true, wide: true, shown: null },
        },
        {
          ...{ kind: "text", name: "findings", label: words.found, value: order.findings, maxLength: 5000 },
          ...{ wide: true, multiline: true, hint: words.foundHint },
        },
        {
          ...{ kind: "text", name: "notes", label: words.notes, value: order.notes, maxLength: 5000 },
          ...{ wide: true, multiline: true, hint: words.notesHint },
        },
      ]}
    />
  );
}
