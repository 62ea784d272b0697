/** Releases an aircraft to service: who certifies it with which licence, under which approval, by which data, when, at which readings. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WorkOrder, WorkOrderRelease } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { ReadingFields, readingsIn, useReadings } from "../../ui/reading-fields.tsx";
import { toast } from "../../ui/toast.tsx";
import { CertifierField, useCertifier } from "./certifier-field.tsx";
import { useDefectsOf } from "./order-defects.tsx";
import { maintenanceText } from "./words.ts";
import { aircraftOf, titleOf } from "./work-orders.tsx";

type Kind = WorkOrderRelease["approval"]["kind"];

const kinds = ["cao", "part_145", "independent", "pilot_owner"] as const satisfies readonly Kind[];
/** Part-ML is about lighter aeroplanes only. */
const mostMass = 2730;
const usual: Kind = "cao";
const isOfOrganization = (kind: Kind): boolean => kind === "cao" || kind === "part_145";

export function ReleaseDialog({ order, onClose }: { order: WorkOrder; onClose: () => void }) {
  const words = maintenanceText();
  const approval = useSignal<string>(usual);
  const reference = useSignal("");
  const data = useSignal("");
  const on = useSignal(today());
  const readings = useReadings();
  const earlier = useResource("GET /orgs/{orgId}/maintenance/work-orders", { query: { status: "done", limit: 50 } });
  const releases = (earlier.data?.data ?? []).flatMap((done) => done.release ?? []);
  const certifier = useCertifier(releases);
  const approvals = releases.flatMap((release) => release.approval ?? []);
  // Most releases of a school are under the same approval.
  const last = approvals[0];
  useEffect(() => {
    if (last && approval.peek() === usual && reference.peek() === "") approval.value = last.kind;
  }, [last?.kind]);
  const kind = kinds.find((one) => one === approval.value) ?? usual;
  // The number of a CAO is none of a Part-145 organization. What was typed stays.
  useEffect(() => {
    const isTyped = reference.peek() !== "" && approvals.every((one) => one.reference !== reference.peek());
    if (!isTyped) reference.value = approvals.find((one) => one.kind === kind)?.reference ?? "";
  }, [kind, approvals.length]);
  const { own } = useDefectsOf(order);
  const refused = usePilotOwnerLimits(order, kind);
  const path = { workOrderId: order.id };
  const release = async () => {
    // A release that was refused has begun the work: then it goes on from there.
    const { data: present } = await call("GET /orgs/{orgId}/maintenance/work-orders/{workOrderId}", { path });
    if (present.status === "open")
      await call("POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/start", { path });
    await call("POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete", {
      path,
      body: {
        ...certifier.signed(),
        approval: { kind, reference: isOfOrganization(kind) ? reference.value : null },
        maintenance_data: data.value,
        on: on.value,
        ...readingsIn(readings),
      },
    });
    onClose();
    await changed("/maintenance", "/aircraft");
    toast(words.released(order.aircraft.registration, titleOf(order)));
  };
  return (
    <Dialog title={words.certificate} onClose={onClose}>
      <Form onSubmit={release}>
        <p class="quiet">
          {order.number} · {order.aircraft.registration} · {aircraftOf(order)}
        </p>
        {order.aircraft.serial_number === null && <p class="notice warn">{words.serialMissing}</p>}
        <p>{words.statement(kind)}</p>
        <ul class="points small">
          {order.items.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {own.map(({ id, description }) => (
            <li class="as-written" key={id}>
              {words.rectified(description)}
            </li>
          ))}
          {order.findings !== null && <li class="as-written">{order.findings}</li>}
        </ul>
        <div class="fields close">
          <SelectField
            name="approval.kind"
            label={words.approval}
            value={approval}
            options={kinds.map((value) => ({ value, label: words.approvalKinds[value] }))}
            wide={!isOfOrganization(kind)}
          />
          {isOfOrganization(kind) && (
            <TextField
              name="approval.reference"
              label={words.approvalReference}
              placeholder={kind === "cao" ? "DE.CAO.0123" : "DE.145.0123"}
              value={reference}
              maxLength={60}
              required
            />
          )}
          <CertifierField {...certifier} />
          <TextField name="on" label={words.doneOn} type="date" value={on} max={today()} required />
        </div>
        <TextField
          name="maintenance_data"
          label={words.maintenanceData}
          hint={words.maintenanceDataHint}
          value={data}
          maxLength={300}
          required
        />
        <details>
          <summary>{words.readingsThen}</summary>
          <p class="quiet small">{words.readingsHint}</p>
          <div class="fields close">
            <ReadingFields readings={readings} />
          </div>
        </details>
        {refused === undefined ? (
          <>
            <p class="quiet small">{words.releaseHint}</p>
            <div class="form-actions">
              <Submit>{words.releaseSubmit}</Submit>
            </div>
          </>
        ) : (
          <p class="notice warn" role="status">
            {refused}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

/** Why a pilot-owner may not release this (ML.A.803): said before, and not after it was sent. */
function usePilotOwnerLimits(order: WorkOrder, kind: Kind): string | undefined {
  const words = maintenanceText();
  const { id: aircraftId } = order.aircraft;
  const items = useResource("GET /orgs/{orgId}/maintenance/items", { query: { aircraft_id: aircraftId } });
  const aircraft = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}", { path: { aircraftId } });
  if (kind !== "pilot_owner") return undefined;
  const critical = (items.data?.data ?? []).find((item) => item.critical && order.item_ids.includes(item.id));
  if (critical) return words.pilotOwnerNotCritical(critical.name);
  return (aircraft.data?.data.mtom_kg ?? 0) > mostMass ? words.pilotOwnerTooHeavy : undefined;
}
