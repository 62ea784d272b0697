/** All aircraft of the school: whether they can fly, their counters, and what is due next. */
import { useSignal } from "@preact/signals";
import type { Aircraft, MaintenanceItem, WorkOrder } from "../../api/operations.ts";
import { formatCount, formatCounter, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Download } from "../../ui/download.tsx";
import { Icon } from "../../ui/icon.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { byUrgency, DueLine } from "../maintenance/due.tsx";
import { useBlockingOrders } from "../maintenance/use-blocking-orders.ts";
import { useInWork } from "../maintenance/use-in-work.ts";
import { titleOf } from "../maintenance/work-orders.tsx";
import { NewAircraft } from "./new-aircraft.tsx";
import { AircraftStatus, reasonOf } from "./status.tsx";

const statuses = ["available", "grounded", "archived"] as const;
const orders = ["registration", "-registration", "model", "-airframe_minutes"] as const;

export default function AircraftList() {
  const { aircraft: words, actions, people } = text();
  const { query } = place.value;
  const isAdding = useSignal(false);
  const status = statuses.find((one) => one === query.get("status"));
  const cursor = query.get("cursor") ?? undefined;
  const filters = { ...(status && { status }), ...chosenOrder(orders) };
  const aircraft = useResource("GET /orgs/{orgId}/aircraft", {
    query: { limit: pageLimit, ...filters, ...(cursor !== undefined && { cursor }) },
  });
  const items = useResource(may("maintenance:read") ? "GET /orgs/{orgId}/maintenance/items" : undefined, {
    query: { limit: 500 },
  });
  const inWork = useInWork();
  const blocking = useBlockingOrders();
  const next = firstDue(items.data?.data ?? []);
  const add = () => {
    isAdding.value = true;
  };
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Download from="GET /orgs/{orgId}/aircraft" as="csv" query={filters} name="aircraft.csv">
            {actions.csv}
          </Download>
          {may("aircraft:manage") && (
            <>
              <a class="button" href="/app/aircraft/import">
                <Icon name="upload" />
                {actions.import}
              </a>
              <Button kind="primary" icon="plus" onClick={add}>
                {words.add}
              </Button>
            </>
          )}
        </div>
      </div>
      <search class="filters">
        <Choice
          label={words.status}
          value={status ?? ""}
          options={[
            { value: "", label: people.all },
            ...statuses.map((value) => ({ value, label: words.statuses[value] })),
          ]}
          onChange={(value) => setQuery({ status: value, cursor: undefined })}
        />
      </search>
      <List<Aircraft>
        label={words.title}
        resource={aircraft}
        filters={["status"]}
        order="registration"
        href={({ id }) => `/app/aircraft/${id}`}
        columns={[
          {
            label: words.registration,
            cell: ({ registration }) => registration,
            orders: ["registration", "-registration"],
          },
          { label: words.model, cell: ({ model }) => model, orders: ["model"] },
          {
            label: words.status,
            cell: (one) => (
              <div class="title-line">
                <AircraftStatus aircraft={one} isInWork={inWork.has(one.id)} isBlocked={blocking.isBlocked(one.id)} />
                <Why
                  aircraft={one}
                  order={inWork.get(one.id) ?? blocking.orders.find(({ aircraft_id }) => aircraft_id === one.id)}
                />
              </div>
            ),
          },
          ...(may("maintenance:read")
            ? [
                {
                  label: words.nextDue,
                  cell: ({ id }: Aircraft) => {
                    const item = next.get(id);
                    return item && <DueLine item={item} />;
                  },
                },
              ]
            : []),
          { label: words.hobbs, cell: ({ hobbs }) => formatCounter(hobbs), isNumber: true, isDesk: true },
          {
            label: words.airframe,
            cell: ({ airframe_minutes }) => formatDuration(airframe_minutes),
            orders: ["-airframe_minutes"],
            isNumber: true,
            isDesk: true,
          },
          { label: words.landings, cell: ({ landings }) => formatCount(landings), isNumber: true, isDesk: true },
        ]}
        empty={
          <Empty
            title={words.empty}
            action={
              may("aircraft:manage") && (
                <Button kind="primary" icon="plus" onClick={add}>
                  {words.add}
                </Button>
              )
            }
          >
            {words.emptyHint}
          </Empty>
        }
      />
      {isAdding.value && (
        <NewAircraft
          onClose={() => {
            isAdding.value = false;
          }}
        />
      )}
    </>
  );
}

/** Why it can't fly, in a word: what grounds it, or else what is being done or waits for it. */
function Why({ aircraft: { status, groundings }, order }: { aircraft: Aircraft; order: WorkOrder | undefined }) {
  const reason = status === "grounded" ? groundings[0] : undefined;
  if (status === "archived" || !(reason || order)) return null;
  return <span class="quiet small brief">{reason ? reasonOf(reason) : order && titleOf(order)}</span>;
}

/** The most urgent item of each aircraft. */
const firstDue = (items: readonly MaintenanceItem[]): ReadonlyMap<string, MaintenanceItem> =>
  new Map(
    items
      .toSorted(byUrgency)
      .toReversed()
      .map((item) => [item.aircraft_id, item]),
  );
