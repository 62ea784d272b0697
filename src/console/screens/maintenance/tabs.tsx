/** The pages of the workshop. */
import { text } from "../../app/language.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { maintenanceText } from "./words.ts";

export function MaintenanceTabs() {
  const { aircraft } = text();
  const { title, tabs } = maintenanceText();
  return (
    <Tabs
      label={title}
      pages={[
        { path: "/app/maintenance", label: tabs.due },
        { path: "/app/maintenance/work-orders", label: aircraft.workOrders },
        { path: "/app/maintenance/defects", label: aircraft.defects },
        { path: "/app/maintenance/programmes", label: tabs.programmes },
      ]}
    />
  );
}
