import { dateJob } from "../../scheduler/date-job.ts";
import { counted } from "../../scheduler/job.ts";
import { complianceEvaluations, complianceRecords } from "./compliance.tables.ts";
import { reevaluateOne } from "./evaluations/evaluate.ts";
import { subjectOf } from "./evaluations/evaluations.queries.ts";
import { announceExpiry } from "./records/expiry-notices.ts";

export const medicalExpiry = dateJob({
  name: "medical-expiry",
  schedule: "15 */10 * * * *",
  description:
    "Announces medicals 60, 30 and 14 days before they expire, and the expiry of people's other records by mail, in the organization's time zone.",
  table: complianceRecords,
  on: complianceRecords.next_notice_on,
  work: announceExpiry,
  summary: (records) => `Announced the expiry of ${counted(records, "record")}`,
});

export const complianceEvaluation = dateJob({
  name: "compliance-evaluation",
  schedule: "20 */10 * * * *",
  description: "Evaluates people and aircraft again whose records expire, or whose requirements have changed.",
  table: complianceEvaluations,
  on: complianceEvaluations.changes_on,
  work: (tx, by, row) => reevaluateOne(tx, by, subjectOf(row)),
  summary: (evaluations) => `Made ${counted(evaluations, "evaluation")}`,
});
