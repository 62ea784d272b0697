import type { TenantJobServices } from "../../module.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { startOf } from "../../storage/today.ts";
import { assessChanges } from "./assessment/assess-changes.ts";
import { nextChange } from "./items/items.queries.ts";

export const maintenanceDue = tenantJob({
  name: "maintenance-due",
  schedule: "15 */10 * * * *",
  description:
    "Changes the status of maintenance items on their dates, and grounds aircraft that are past a tolerance.",
  async dueFrom(reader) {
    const on = await nextChange(reader);
    return on && startOf(reader, Temporal.PlainDate.from(on));
  },
  work: async (context, _: TenantJobServices, now) => ({ aircraft: await assessChanges(context, now) }),
  summary: ({ aircraft }) => `Assessed ${aircraft} aircraft`,
});
