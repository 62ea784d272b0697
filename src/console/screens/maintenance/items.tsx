/** What is due, as bars up to the limit: done, added, changed where it stands. */
import { useSignal } from "@preact/signals";
import type { Aircraft, MaintenanceItem } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { DoneDialog } from "./done-dialog.tsx";
import { byUrgency, DueBars } from "./due.tsx";
import { ItemDialog } from "./item-dialog.tsx";
import { maintenanceText } from "./words.ts";

type Open = { kind: "new" } | { kind: "done" | "change"; item: MaintenanceItem };

/** @param aircraft undefined until it is known: what is due is loaded meanwhile */
export function Maintenance({ aircraftId, aircraft }: { aircraftId: string; aircraft: Aircraft | undefined }) {
  const maintenance = maintenanceText();
  const { aircraft: words, actions } = text();
  const items = useResource("GET /orgs/{orgId}/maintenance/items", { query: { aircraft_id: aircraftId } });
  const open = useSignal<Open | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  const show = (what: Open) => () => {
    open.value = what;
  };
  const manages = may("maintenance:manage") && aircraft?.status !== "archived";
  const shown = open.value;
  return (
    <Section
      title={words.maintenance}
      actions={
        manages && (
          <Button kind="plain" icon="plus" onClick={show({ kind: "new" })}>
            {maintenance.addItem}
          </Button>
        )
      }
    >
      <Loaded resource={items}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">
              {words.noItems}{" "}
              {manages && (
                <a href={`/app/maintenance/programmes?aircraft=${aircraftId}`}>{maintenance.applyProgramme}</a>
              )}
            </p>
          ) : (
            <div class="form">
              {data.toSorted(byUrgency).map((item) => (
                <DueBars
                  key={item.id}
                  item={item}
                  actions={
                    manages && (
                      <>
                        <Button onClick={show({ kind: "done", item })}>
                          {maintenance.markDone}
                          <span class="visually-hidden"> {item.name}</span>
                        </Button>
                        <Button kind="plain" onClick={show({ kind: "change", item })}>
                          {actions.edit}
                          <span class="visually-hidden"> {item.name}</span>
                        </Button>
                      </>
                    )
                  }
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {aircraft && shown?.kind === "done" && <DoneDialog aircraft={aircraft} item={shown.item} onClose={close} />}
      {aircraft && shown?.kind === "change" && <ItemDialog aircraft={aircraft} item={shown.item} onClose={close} />}
      {aircraft && shown?.kind === "new" && <ItemDialog aircraft={aircraft} onClose={close} />}
    </Section>
  );
}
