/** Adds the items of a template to an aircraft, with the day on which they were last done, if it is known: when each is due then is said before. */
import { useSignal } from "@preact/signals";
import type { MaintenanceTemplate } from "../../api/operations.ts";
import { daysUntil, monthsAfter, today } from "../../app/days.ts";
import { formatDay } from "../../app/format.ts";
import { dayAfter } from "../../app/local-time.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { dueTones } from "./due.tsx";
import { everyOf } from "./every-of.ts";
import { maintenanceText } from "./words.ts";

export function ApplyDialog({ template, onClose }: { template: MaintenanceTemplate; onClose: () => void }) {
  const words = maintenanceText();
  const aircraftId = useSignal(place.value.query.get("aircraft") ?? "");
  const on = useSignal("");
  const fleet = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const apply = async () => {
    const { data } = await call("POST /orgs/{orgId}/maintenance/templates/{key}/apply", {
      path: { key: template.key },
      body: {
        aircraft_id: aircraftId.value,
        language: words.language,
        ...(on.value !== "" && { last_done_on: on.value }),
      },
    });
    onClose();
    await changed("/maintenance", "/aircraft");
    toast(data.length === 0 ? words.nothingAdded : words.itemsAdded(data.length));
    if (data.length > 0) go(`/app/aircraft/${aircraftId.value}`);
  };
  return (
    <Dialog title={words.applyTitle(template.name)} onClose={onClose}>
      <Loaded resource={fleet}>
        {({ data }) => (
          <Form onSubmit={apply}>
            <SelectField
              name="aircraft_id"
              label={words.aircraft}
              value={aircraftId}
              options={[
                { value: "", label: "" },
                ...data
                  .filter(({ status }) => status !== "archived")
                  .map(({ id, registration, model }) => ({ value: id, label: `${registration} · ${model}` })),
              ]}
            />
            <TextField
              name="last_done_on"
              label={words.lastDoneOn}
              hint={words.applyHint}
              type="date"
              value={on}
              max={today()}
            />
            {aircraftId.value === "" ? (
              <p class="quiet small">{words.applyTwice}</p>
            ) : (
              <Added {...{ template }} aircraftId={aircraftId.value} on={on.value} />
            )}
            <div class="form-actions">
              <Submit>{words.apply}</Submit>
            </div>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}

interface AddedProps {
  template: MaintenanceTemplate;
  aircraftId: string;
  /** When all was last done; empty if that is not known. */
  on: string;
}

/** Which items the aircraft gets, and when each is due then. */
function Added({ template, aircraftId, on }: AddedProps) {
  const words = maintenanceText();
  const known = useResource("GET /orgs/{orgId}/maintenance/items", { query: { aircraft_id: aircraftId, limit: 200 } });
  const other = useResource("GET /orgs/{orgId}/maintenance/templates", {
    query: { language: words.language === "de" ? "en" : "de" },
  });
  const inOther = other.data?.data.find(({ key }) => key === template.key);
  return (
    <Loaded resource={known} lines={4}>
      {({ data }) => (
        <Rows
          label={words.added}
          empty=""
          most={20}
          rows={template.items.map((item, at) => {
            const names = [item.name, inOther?.items[at]?.name];
            const isThere = data.some(({ name }) => names.includes(name));
            return {
              id: item.name,
              title: item.name,
              detail: everyOf(item),
              aside: isThere ? <span class="quiet small">{words.isThere}</span> : <Due {...{ item, on }} />,
            };
          })}
        />
      )}
    </Loaded>
  );
}

/** Its last day, and how it stands then, as the list of what is due says it; hours and landings count from the counters of the day on which it was done. */
function Due({ item, on }: { item: MaintenanceTemplate["items"][number]; on: string }) {
  const words = maintenanceText();
  if (on === "") return <Badge tone="bad">{words.dueAtOnce}</Badge>;
  if (item.interval_months === null) return <span class="quiet small">{words.fromCounters}</span>;
  const until = monthsAfter(on, item.interval_months);
  const left = daysUntil(until);
  const status = left < 0 ? "overdue" : left <= item.upcoming_days ? "upcoming" : "ok";
  const isPast = daysUntil(dayAfter(monthsAfter(until, item.tolerance_months), item.tolerance_days)) < 0;
  const said = words.dueBy(formatDay(until));
  return (
    <>
      <Badge tone={dueTones[status]}>{status === "ok" ? said : `${words.due.statuses[status]}, ${said}`}</Badge>
      {isPast && <span class="small">{words.due.pastTolerance}</span>}
    </>
  );
}
