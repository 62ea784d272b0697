import type { TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { checkMonths, oldestUnchecked } from "./ledger/check-months.ts";

export const financeSummary = tenantJob({
  name: "finance-summary",
  schedule: "40 23 2 * * *",
  description: "Computes the sums of months with new entries from the journal, and corrects those that differ.",
  dueFrom: oldestUnchecked,
  work: ({ tenant }, { log }: TenantJobServices, now) => checkMonths(tenant, now, log),
  summary: ({ months, corrected }) => `Compared ${counted(months, "month")} with the journal, corrected ${corrected}`,
});
