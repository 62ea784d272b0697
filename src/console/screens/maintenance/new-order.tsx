/** A new work order: the aircraft, what of its programme is to be done, and what is open besides. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ChoicesField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { useProposal } from "../../ui/use-proposal.ts";
import { maintenanceText } from "./words.ts";
import { useItemOptions } from "./work-orders.tsx";

const longest = 120;

export default function NewWorkOrder() {
  const words = maintenanceText();
  const { actions } = text();
  const { query } = place.value;
  const asked = query.get("item");
  const aircraftId = useSignal(query.get("aircraft") ?? "");
  const items = useSignal<readonly string[]>(asked === null ? [] : [asked]);
  const title = useSignal("");
  const notes = useSignal("");
  const fleet = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const aircraft = (fleet.data?.data ?? []).filter(({ status }) => status !== "archived");
  const options = useItemOptions(aircraftId.value);
  // The title follows the tasks, until somebody writes one.
  const tasks = options.filter(({ value }) => items.value.includes(value)).map(({ name }) => name);
  useProposal(title, tasks.join(", ").slice(0, longest));
  useEffect(() => {
    const first = aircraft[0];
    if (aircraftId.peek() === "" && first) aircraftId.value = first.id;
  }, [aircraft.length]);
  useEffect(() => {
    // Tasks are those of one aircraft.
    if (options.length > 0) items.value = items.peek().filter((id) => options.some(({ value }) => value === id));
  }, [aircraftId.value, options.length]);
  const open = async () => {
    const { data } = await call("POST /orgs/{orgId}/maintenance/work-orders", {
      body: {
        aircraft_id: aircraftId.value,
        title: title.value,
        item_ids: [...items.value],
        ...(notes.value.trim() !== "" && { notes: notes.value }),
      },
    });
    await changed("/maintenance");
    go(`/app/maintenance/work-orders/${data.id}`, { replace: true });
  };
  return (
    <>
      <div class="page-head">
        <h1>{words.openOrder}</h1>
      </div>
      <div class="columns">
        <div>
          <Form onSubmit={open} label={words.openOrder}>
            <SelectField
              name="aircraft_id"
              label={words.aircraft}
              value={aircraftId}
              options={aircraft.map(({ id, registration, model }) => ({
                value: id,
                label: `${registration} · ${model}`,
              }))}
            />
            {options.length > 0 && <ChoicesField name="item_ids" label={words.tasks} value={items} options={options} />}
            <TextField name="title" label={words.orderTitle} value={title} maxLength={longest} required />
            <TextField name="notes" label={words.notes} value={notes} maxLength={5000} multiline />
            <div class="form-actions">
              <Submit>{words.openSubmit}</Submit>
              <Button kind="plain" onClick={() => history.back()}>
                {actions.cancel}
              </Button>
            </div>
          </Form>
        </div>
        <div>{aircraftId.value !== "" && <OpenDefects aircraftId={aircraftId.value} />}</div>
      </div>
    </>
  );
}

/** Each open defect has a work order already: the tasks can be done with it. */
function OpenDefects({ aircraftId }: { aircraftId: string }) {
  const words = maintenanceText();
  const { aircraft } = text();
  const defects = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}/defects", { path: { aircraftId } });
  const open = (defects.data?.data ?? []).filter(({ status }) => status !== "rectified");
  if (open.length === 0) return null;
  return (
    <Section title={words.openDefects}>
      <p class="quiet small">{words.openDefectsHint}</p>
      <Rows
        label={words.openDefects}
        empty=""
        rows={open.map((defect) => ({
          id: defect.id,
          title: defect.description,
          href: `/app/maintenance/work-orders/${defect.work_order_id}`,
          detail: aircraft.reportedOn(formatDate(defect.created_at), defect.reported_by_name),
        }))}
      />
    </Section>
  );
}
