/** What is due across the fleet, by date: as bars up to the limit, or as a table of all figures. */
import { useSignal } from "@preact/signals";
import type { MaintenanceForecast, WorkOrder } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { BeyondDialog } from "./beyond-dialog.tsx";
import { DueRow } from "./due-row.tsx";
import { DueTable } from "./due-table.tsx";
import { byDay, isNear } from "./expected.ts";
import { maintenanceText } from "./words.ts";

export type DueItem = MaintenanceForecast["items"][number];

const views = ["bars", "table"] as const;

export function FleetDue({ orders }: { orders: readonly WorkOrder[] }) {
  const words = maintenanceText();
  const { query } = place.value;
  const forecast = useResource("GET /orgs/{orgId}/maintenance/forecast");
  const { list } = text();
  const isWhole = useSignal(false);
  const beyond = useSignal<DueItem | undefined>(undefined);
  const show = (item: DueItem | undefined) => {
    beyond.value = item;
  };
  const view = views.find((one) => one === query.get("view")) ?? "bars";
  const aircraftId = query.get("aircraft") ?? "";
  return (
    <Section title={words.fleetDue}>
      <Loaded resource={forecast} lines={8}>
        {({ data }) => {
          const items = data.items
            .filter(({ aircraft_id }) => aircraftId === "" || aircraft_id === aircraftId)
            .toSorted(byDay);
          const near = items.filter(isNear);
          const shown = isWhole.value || near.length === 0 ? items : near;
          return (
            <>
              <div class="filters">
                <Choice
                  label={words.aircraft}
                  value={aircraftId}
                  options={[
                    { value: "", label: words.wholeFleet },
                    ...data.aircraft.map(({ id, registration }) => ({ value: id, label: registration })),
                  ]}
                  onChange={(value) => setQuery({ aircraft: value })}
                />
                <Choice
                  label={words.shownAs}
                  value={view}
                  options={views.map((value) => ({ value, label: words.views[value] }))}
                  onChange={(value) => setQuery({ view: value === "bars" ? "" : value })}
                />
              </div>
              {items.length === 0 ? (
                <p class="quiet">{words.nothingDue}</p>
              ) : view === "table" ? (
                <DueTable items={items} />
              ) : (
                <ul class="due" aria-label={words.fleetDue}>
                  {shown.map((item) => (
                    <DueRow
                      key={item.item_id}
                      item={item}
                      order={orders.find(({ item_ids }) => item_ids.includes(item.item_id))}
                      onBeyond={() => show(item)}
                    />
                  ))}
                </ul>
              )}
              {view === "bars" && shown.length < items.length && (
                <div>
                  <Button
                    kind="plain"
                    onClick={() => {
                      isWhole.value = true;
                    }}
                  >
                    {list.showAll(items.length)}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {beyond.value && <BeyondDialog item={beyond.value} onClose={() => show(undefined)} />}
    </Section>
  );
}
