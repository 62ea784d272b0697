/** Templates of maintenance programmes: what they have, applied to an aircraft. */
import { useSignal } from "@preact/signals";
import type { MaintenanceTemplate } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { ApplyDialog } from "./apply-dialog.tsx";
import { everyOf } from "./every-of.ts";
import { MaintenanceTabs } from "./tabs.tsx";
import { maintenanceText } from "./words.ts";

export default function Programmes() {
  const words = maintenanceText();
  const templates = useResource("GET /orgs/{orgId}/maintenance/templates", { query: { language: words.language } });
  const applying = useSignal<MaintenanceTemplate | undefined>(undefined);
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
      </div>
      <MaintenanceTabs />
      <p class="quiet">{words.programmesHint}</p>
      <Loaded resource={templates} lines={8}>
        {({ data }) =>
          data.map((template) => (
            <Section
              key={template.key}
              title={template.name}
              actions={
                may("maintenance:manage") && (
                  <Button
                    kind="plain"
                    icon="plus"
                    onClick={() => {
                      applying.value = template;
                    }}
                  >
                    {words.apply}
                    <span class="visually-hidden"> {template.name}</span>
                  </Button>
                )
              }
            >
              <Rows
                label={template.name}
                empty=""
                most={10}
                rows={template.items.map((item) => ({
                  id: item.name,
                  title: item.name,
                  detail: everyOf(item),
                  aside: item.critical && <Badge tone="warn">{words.grounds}</Badge>,
                }))}
              />
            </Section>
          ))
        }
      </Loaded>
      {applying.value && (
        <ApplyDialog
          template={applying.value}
          onClose={() => {
            applying.value = undefined;
          }}
        />
      )}
    </>
  );
}
