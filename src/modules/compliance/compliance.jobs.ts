import type { TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { reevaluate } from "./evaluations/evaluate.ts";
import { nextChange } from "./evaluations/evaluations.queries.ts";
import { announceExpiries, nextNotice } from "./records/expiry-notices.ts";

export const medicalExpiry = tenantJob({
  name: "medical-expiry",
  schedule: "15 */10 * * * *",
  description:
    "Announces medicals 60, 30 and 14 days before they expire, and the expiry of people's other records by mail, in the organization's time zone.",
  dueFrom: nextNotice,
  work: async (context, _: TenantJobServices) => ({ records: await announceExpiries(context) }),
  summary: ({ records }) => `Announced the expiry of ${counted(records, "record")}`,
});

export const complianceEvaluation = tenantJob({
  name: "compliance-evaluation",
  schedule: "20 */10 * * * *",
  description: "Evaluates people and aircraft again whose records expire, or whose requirements have changed.",
  dueFrom: nextChange,
  work: async (context, _: TenantJobServices) => ({ evaluations: await reevaluate(context) }),
  summary: ({ evaluations }) => `Made ${counted(evaluations, "evaluation")}`,
});
