import { dateJob } from "../../scheduler/date-job.ts";
import { counted } from "../../scheduler/job.ts";
import { becomeOverdue } from "./invoices/overdue.ts";
import { financeInvoices } from "./invoicing.tables.ts";

export const invoiceOverdue = dateJob({
  name: "invoice-overdue",
  schedule: "40 */10 * * * *",
  description: "Marks invoices that are due and not paid as overdue, and sends their reminders.",
  table: financeInvoices,
  on: financeInvoices.changes_on,
  work: becomeOverdue,
  summary: (invoices) => `Marked or reminded of ${counted(invoices, "invoice")}`,
});
