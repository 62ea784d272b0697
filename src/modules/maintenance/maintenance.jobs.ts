import type { TenantJobServices } from "../../module.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { firstDay } from "../../storage/first-day.ts";
import { assessChanges } from "./assessment/assess-changes.ts";
import { defects, maintenanceItems } from "./maintenance.tables.ts";

export const maintenanceDue = tenantJob({
  name: "maintenance-due",
  schedule: "15 */10 * * * *",
  description:
    "Changes the status of maintenance items on their dates, and grounds aircraft that are past a tolerance.",
  dueFrom: firstDay(maintenanceItems.changes_on, defects.changes_on),
  work: async (context, _: TenantJobServices, now) => ({ aircraft: await assessChanges(context, now) }),
  summary: ({ aircraft }) => `Assessed ${aircraft} aircraft`,
});
