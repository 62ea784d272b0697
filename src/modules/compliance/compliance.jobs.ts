import type { TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { onDates } from "../../storage/on-dates.ts";
import { complianceEvaluations, complianceRecords } from "./compliance.tables.ts";
import { reevaluate } from "./evaluations/evaluate.ts";
import { announceMedicals } from "./records/medical-notices.ts";

export const medicalExpiry = tenantJob({
  name: "medical-expiry",
  schedule: "15 */10 * * * *",
  description: "Announces medicals 60, 30 and 14 days before they expire, in the organization's time zone.",
  dueFrom: onDates(complianceRecords.next_notice_on),
  work: async (context, _: TenantJobServices) => ({ medicals: await announceMedicals(context) }),
  summary: ({ medicals }) => `Announced the expiry of ${counted(medicals, "medical")}`,
});

export const complianceEvaluation = tenantJob({
  name: "compliance-evaluation",
  schedule: "20 */10 * * * *",
  description: "Evaluates people and aircraft again whose records expire, or whose requirements have changed.",
  dueFrom: onDates(complianceEvaluations.changes_on),
  work: async (context, _: TenantJobServices) => ({ evaluations: await reevaluate(context) }),
  summary: ({ evaluations }) => `Made ${counted(evaluations, "evaluation")}`,
});
