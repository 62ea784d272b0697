import type { TenantJobServices } from "../../module.ts";
import { dateJob } from "../../scheduler/date-job.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { becomeOverdue } from "./invoices/overdue.ts";
import { financeInvoices } from "./invoices.tables.ts";
import { checkMonths, oldestUnchecked } from "./ledger/check-months.ts";

export const invoiceOverdue = dateJob({
  name: "invoice-overdue",
  schedule: "40 */10 * * * *",
  description: "Marks invoices that are due and not paid as overdue, and sends their reminders.",
  table: financeInvoices,
  on: financeInvoices.changes_on,
  work: becomeOverdue,
  summary: (invoices) => `Marked or reminded of ${counted(invoices, "invoice")}`,
});

export const financeSummary = tenantJob({
  name: "finance-summary",
  schedule: "40 23 2 * * *",
  description: "Computes the sums of months with new entries from the journal, and corrects those that differ.",
  dueFrom: oldestUnchecked,
  longest: 0,
  work: ({ tenant }, { log }: TenantJobServices) => checkMonths(tenant, log),
  summary: ({ months, corrected }) => `Compared ${counted(months, "month")} with the journal, corrected ${corrected}`,
});
