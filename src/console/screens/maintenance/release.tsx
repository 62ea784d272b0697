/** The certificate of release to service (ML.A.801): its statement, who signs with which licence, when, and at which readings. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WorkOrder } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { formatCount, formatCounter, formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call, me, organization } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form, Submit, TextField } from "../../ui/form.tsx";
import { ReadingFields, readingsIn, useReadings } from "../../ui/reading-fields.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { titleOf } from "./work-orders.tsx";

export function Released({ release }: { release: NonNullable<WorkOrder["release"]> }) {
  const { maintenance: words, aircraft } = text();
  return (
    <Section title={words.certificate}>
      <p class="quiet small">{words.statement}</p>
      <Facts
        facts={[
          { label: words.releasedBy, value: release.by },
          { label: words.licence, value: release.licence_number },
          { label: words.doneOn, value: formatDay(release.on) },
          { label: aircraft.hobbs, value: formatCounter(release.hobbs) },
          { label: aircraft.tacho, value: formatCounter(release.tacho) },
          { label: aircraft.airframe, value: formatDuration(release.airframe_minutes) },
          { label: aircraft.landings, value: formatCount(release.landings) },
        ]}
      />
    </Section>
  );
}

export function ReleaseDialog({ order, onClose }: { order: WorkOrder; onClose: () => void }) {
  const { maintenance: words } = text();
  const by = useSignal(me.value?.user.name ?? "");
  const licence = useSignal("");
  const on = useSignal(today());
  const readings = useReadings();
  const personId = organization.value?.person_id;
  const own = useResource(personId ? "GET /orgs/{orgId}/people/{personId}" : undefined, {
    path: { personId: personId ?? "" },
  }).data?.data.licence_number;
  useEffect(() => {
    if (own && licence.peek() === "") licence.value = own;
  }, [own]);
  const path = { workOrderId: order.id };
  const release = async () => {
    // A release that was refused has begun the work: then it goes on from there.
    const { data } = await call("GET /orgs/{orgId}/maintenance/work-orders/{workOrderId}", { path });
    if (data.status === "open") await call("POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/start", { path });
    await call("POST /orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete", {
      path,
      body: { by: by.value, licence_number: licence.value, on: on.value, ...readingsIn(readings) },
    });
    onClose();
    await changed("/maintenance", "/aircraft");
    toast(words.released(order.aircraft.registration, titleOf(order)));
  };
  return (
    <Dialog title={words.certificate} onClose={onClose}>
      <Form onSubmit={release}>
        <p>{words.statement}</p>
        <ul class="plain-list small">
          <li>{titleOf(order)}</li>
          {order.items.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
        <div class="fields close">
          <TextField name="by" label={words.releasedBy} value={by} maxLength={120} required autoFocus />
          <TextField
            name="licence_number"
            label={words.licence}
            placeholder="DE.66.4711"
            value={licence}
            maxLength={40}
            required
          />
          <TextField name="on" label={words.doneOn} type="date" value={on} max={today()} required />
        </div>
        <details>
          <summary>{words.readingsThen}</summary>
          <p class="quiet small">{words.readingsHint}</p>
          <div class="fields close">
            <ReadingFields readings={readings} />
          </div>
        </details>
        <p class="quiet small">{words.releaseHint}</p>
        <div class="form-actions">
          <Submit>{words.releaseSubmit}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
