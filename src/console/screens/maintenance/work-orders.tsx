/** What the workshop has to do on an aircraft, and has done. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { orderTitle } from "../../../core/order-title.ts";
import type { Aircraft, WorkOrder } from "../../api/operations.ts";
import { formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoicesField, Form, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { byUrgency } from "./due.tsx";
import { maintenanceText } from "./words.ts";

export const workOrderTones: Record<WorkOrder["status"], Tone> = { open: "warn", in_progress: "info", done: "good" };

export const titleOf = ({ title }: Pick<WorkOrder, "title">): string => orderTitle(title);

/** The aircraft as a certificate identifies it, beside its registration: `Cessna 172S, S/N 172S9876`. */
export const aircraftOf = ({ aircraft: { model, serial_number } }: Pick<WorkOrder, "aircraft">): string =>
  [model, serial_number !== null && text().aircraft.serialNo(serial_number)].filter(Boolean).join(", ");

/** @param aircraft undefined until it is known: its work orders are loaded meanwhile */
export function WorkOrders({ aircraftId, aircraft }: { aircraftId: string; aircraft: Aircraft | undefined }) {
  const maintenance = maintenanceText();
  const { aircraft: words } = text();
  const isOpening = useSignal(false);
  const orders = useResource("GET /orgs/{orgId}/maintenance/work-orders", { query: { aircraft_id: aircraftId } });
  return (
    <Section
      title={words.workOrders}
      actions={
        may("maintenance:manage") &&
        aircraft?.status !== "archived" && (
          <Button
            kind="plain"
            icon="plus"
            onClick={() => {
              isOpening.value = true;
            }}
          >
            {maintenance.openOrder}
          </Button>
        )
      }
    >
      <Loaded resource={orders}>
        {({ data }) => (
          <Rows
            label={words.workOrders}
            empty={words.noWorkOrders}
            most={4}
            // What is not done stands first.
            rows={data
              .toSorted((a, b) => Number(a.status === "done") - Number(b.status === "done"))
              .map((order) => ({
                id: order.id,
                title: titleOf(order),
                href: `/app/maintenance/work-orders/${order.id}`,
                detail: [
                  order.number,
                  order.release === null
                    ? words.openedOn(formatDate(order.created_at), order.opened_by_name)
                    : words.releasedBy(order.release.by, formatDay(order.release.on)),
                  ...order.items.map(({ name }) => name),
                ].join(" · "),
                aside: <Badge tone={workOrderTones[order.status]}>{words.workOrderStatuses[order.status]}</Badge>,
              }))}
          />
        )}
      </Loaded>
      {isOpening.value && (
        <OpenDialog
          aircraftId={aircraftId}
          onClose={() => {
            isOpening.value = false;
          }}
        />
      )}
    </Section>
  );
}

/** The items of an aircraft as choices, the most urgent first. @param aircraftId empty until one is chosen */
export function useItemOptions(aircraftId: string): readonly { value: string; label: string; name: string }[] {
  const { due } = maintenanceText();
  const items = useResource(aircraftId === "" ? undefined : "GET /orgs/{orgId}/maintenance/items", {
    query: { aircraft_id: aircraftId, limit: 500 },
  });
  const data = items.data?.data;
  return useMemo(
    () =>
      (data ?? []).toSorted(byUrgency).map(({ id, name, status }) => ({
        value: id,
        name,
        label: status === "ok" ? name : `${name} (${due.statuses[status]})`,
      })),
    [data, due],
  );
}

function OpenDialog({ aircraftId, onClose }: { aircraftId: string; onClose: () => void }) {
  const words = maintenanceText();
  const options = useItemOptions(aircraftId);
  const title = useSignal("");
  const items = useSignal<readonly string[]>([]);
  const notes = useSignal("");
  const open = async () => {
    const { data } = await call("POST /orgs/{orgId}/maintenance/work-orders", {
      body: {
        aircraft_id: aircraftId,
        title: title.value,
        item_ids: [...items.value],
        ...(notes.value.trim() !== "" && { notes: notes.value }),
      },
    });
    onClose();
    await changed("/maintenance");
    go(`/app/maintenance/work-orders/${data.id}`);
  };
  return (
    <Dialog title={words.openOrder} onClose={onClose}>
      <Form onSubmit={open}>
        <TextField name="title" label={words.orderTitle} value={title} maxLength={120} required autoFocus />
        {options.length > 0 && <ChoicesField name="item_ids" label={words.tasks} value={items} options={options} />}
        <TextField name="notes" label={words.notes} value={notes} maxLength={5000} multiline />
        <div class="form-actions">
          <Submit>{words.openSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
